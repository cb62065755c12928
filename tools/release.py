"""`dev.py release`: the changelog's next entry from its fragments, and what a version is handed out as, in dist/."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from tools import paths, site
from tools.command import Command
from tools.process import CommandLine, Failure, environment, run, say

DIST = paths.ROOT / "dist"
VERSION_FILE = "labs/__init__.py"
_VERSION = re.compile(r'^__version__ = "(?P<version>[^"]+)"$', re.MULTILINE)
_ENTRY = re.compile(r"^## (?P<version>\S+) \(\d{4}-\d{2}-\d{2}\)$", re.MULTILINE)
_NOT_FRAGMENTS = {"README.md", "entry.md.jinja"}
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the same site makes the same archive


def problems(root: Path = paths.ROOT) -> list[str]:
    """What is wrong with the version, the changelog or its fragments."""
    entry = _ENTRY.search((root / "CHANGELOG.md").read_text("utf-8"))
    newest = entry["version"] if entry else "none"
    wrong = []
    if newest != version(root):
        wrong.append(f"the package is {version(root)}, and the newest entry of CHANGELOG.md is of {newest}")
    for path in waiting(root):
        text = path.read_text("utf-8").strip()
        if not text or text.startswith(("#", "- ", "* ")):
            wrong.append(f"changelog.d/{path.name} is no sentence: changelog.d/README.md says what is one")
    drafted = _output(towncrier(root, "--draft", "--version", "next"), root)
    if drafted.returncode != 0:
        wrong.append(f"the changelog's fragments: {' '.join(drafted.stderr.split())}")
    return wrong


def waiting(root: Path = paths.ROOT) -> list[Path]:
    """The fragments that no entry has taken up yet."""
    return sorted(path for path in (root / "changelog.d").iterdir() if path.name not in _NOT_FRAGMENTS)


def version(root: Path = paths.ROOT) -> str:
    """The package's version, as written in its source."""
    stated = _VERSION.search((root / VERSION_FILE).read_text("utf-8"))
    return stated["version"] if stated else "none"


def towncrier(root: Path, *arguments: str) -> CommandLine:
    """How the fragments are made an entry."""
    return [sys.executable, "-m", "towncrier", "build", "--dir", root, *arguments]


def write(new: str, root: Path = paths.ROOT) -> None:
    """Gives the package a new version and the changelog its entry. Raises Failure for a version that is no later one."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", new) or _numbers(new) <= _numbers(version(root)):
        raise Failure(f'"{new}" is no version after {version(root)}: write three numbers, such as 1.2.0.')
    if not waiting(root):
        raise Failure("No fragment waits in changelog.d/, so there is nothing to tell of a new version.")
    made = _output(towncrier(root, "--yes", "--version", new), root)
    if made.returncode != 0:
        raise Failure(f"The changelog was not written: {made.stderr.strip()}")
    source = root / VERSION_FILE
    text = _VERSION.sub(f'__version__ = "{new}"', source.read_text("utf-8"))
    source.write_text(text, encoding="utf-8", newline="\n")


def build(into: Path) -> tuple[Path, Path]:
    """The source distribution, and the wheel made from it and not from this folder; without a network."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        sdist = _hatchling("sdist", paths.ROOT, Path(scratch, "sdist"))
        shutil.unpack_archive(sdist, Path(scratch, "source"), filter="data")
        [source] = Path(scratch, "source").iterdir()
        wheel = _hatchling("wheel", source, Path(scratch, "wheel"))
        return Path(shutil.copy(sdist, into)), Path(shutil.copy(wheel, into))


def site_archive(folder: Path, archive: Path) -> Path:
    """A built site as a zip, for `gpulab serve --site` where nobody builds one."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"site/{path.relative_to(folder).as_posix()}", _ZIP_TIME)
            entry.create_system, entry.external_attr = 3, 0o644 << 16  # Unix, where a server must read it
            zipped.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return archive


def _hatchling(kind: str, source: Path, into: Path) -> Path:
    command: CommandLine = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", into]
    done = _output(command, source)
    if done.returncode != 0:
        raise Failure(f"The {kind} was not built: {done.stderr.strip()}")
    [made] = into.iterdir()
    return made


def _output(command: CommandLine, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, encoding="utf-8"
    )


def _numbers(stated: str) -> list[int]:
    return [int(number) for number in stated.split(".")]


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "version", nargs="?", help="write this version and its entry first, from the fragments"
    )
    parser.add_argument("--draft", action="store_true", help="show the entry and do nothing")


def _perform(arguments: argparse.Namespace) -> int:
    if arguments.draft:
        return run(towncrier(paths.ROOT, "--draft", "--version", arguments.version or "next"))
    if arguments.version:
        write(arguments.version)
    wrong = problems()
    if waiting():
        wrong.append(f"{len(waiting())} fragment(s) wait in changelog.d/: name the version that they make")
    if wrong:
        raise Failure("This is no release yet. " + "; ".join(wrong) + ".")
    built = site.ensure()
    shutil.rmtree(DIST, ignore_errors=True)
    made = [*build(DIST), site_archive(built, DIST / f"gpu-sharing-labs-site-{version()}.zip")]
    for path in made:
        say(f"{paths.from_root(path)} ({path.stat().st_size / 1e6:.1f} MB)")
    say(f"Commit what changed and tag it v{version()}.")
    return 0


COMMAND = Command(
    "release", "write a version and its changelog, and build what is handed out", _add_arguments, _perform
)
