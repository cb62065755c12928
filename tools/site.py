"""The built site: what it is made from, and how."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tools import node_env, paths
from tools.process import CommandLine, Failure, run
from tools.stamps import digest, is_stamped

LANGUAGES = ("ja", "ko", "en")
"""Of the first, pages are at the site's root; of each other, in a folder of its name."""

OPTIONS = (
    "SITE_URL",
    "SITE_POLICY",
)  # what mkdocs.yml takes from the environment; docs/*/hosting/ explains them

INPUTS = (
    *("docs", "theme", "labs", "hooks", "licences"),
    *("LICENSE", "NOTICE", "mkdocs.yml", "tsconfig.json"),  # the last is read by esbuild
    *("package-lock.json", "requirements/dev.txt"),  # which packages build it
)
"""The folders and files of the root that the site is made from."""


def inputs() -> list[Path]:
    """Every file that the site may be made from, in a fixed order."""
    files = []
    for name in INPUTS:
        files += [paths.ROOT / name] if (paths.ROOT / name).is_file() else []
        for folder, folders, names in os.walk(paths.ROOT / name):
            folders[:] = sorted(set(folders) - {"__pycache__"})
            files += [Path(folder, name) for name in sorted(names)]
    return files


def inputs_digest() -> str:
    """A hash of what the site is made from: the files, and what mkdocs.yml takes from the environment."""
    files = [part for path in inputs() for part in (paths.from_root(path), path)]
    return digest(*(os.environ.get(name, "") for name in OPTIONS), *files)


def ensure(for_folder: bool = False) -> Path:
    """The folder of a built site, built anew only where a file that it is made from has changed."""
    folder = paths.FOLDER_SITE if for_folder else paths.SITE
    if not (folder.is_dir() and is_stamped(_stamp(folder), inputs_digest())):
        build(for_folder)
    return folder


def build(for_folder: bool = False) -> None:
    """Builds a site into its folder, which changes all at once and only when the build succeeds."""
    folder = paths.FOLDER_SITE if for_folder else paths.SITE
    made_from = inputs_digest()
    pack(for_folder)
    fresh = paths.CACHE / f"{folder.name}.{os.getpid()}"
    mkdocs: list[str | Path] = [paths.VENV_PYTHON, "-m", "mkdocs", "build", "--strict", "--site-dir", fresh]
    if for_folder:
        mkdocs.append("--no-directory-urls")  # by which hooks/browser.py knows
    try:
        _succeed(mkdocs, "The site was not built")
        put_in_place(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    _stamp(folder).write_text(made_from, encoding="utf-8")


def pack(for_folder: bool = False) -> None:
    """Makes what pages load beside themselves; quick where unchanged."""
    pack_runtime()
    pack_scripts(for_folder)


def pack_scripts(for_folder: bool = False) -> None:
    """Makes the labs' scripts and their editor: an instant; those for a folder hold the runtime, which is packed before."""
    out: list[str | Path] = ["--out", paths.CACHE / "scripts"]
    if for_folder:
        out = ["--out", paths.CACHE / "scripts-folder", "--runtime", paths.CACHE / "runtime"]
    _pack("scripts.mjs", *out, "--editor", paths.CACHE / "editor")


def pack_runtime() -> None:
    """Makes the browser's Python: seconds."""
    _pack("python.mjs", "--out", paths.CACHE / "runtime", "--python", paths.VENV_PYTHON)


def _pack(script: str, *arguments: str | Path) -> None:
    node_env.set_up()
    command = [node_env.find_node().node, paths.ROOT / "labs" / "web" / "packing" / script, *arguments]
    _succeed(command, f"{script} did not do its work, so the site was not built")


def put_in_place(fresh: Path, folder: Path) -> None:
    """Puts a new folder where an old one may be, which nobody sees half written."""
    last = fresh.with_name(f"{fresh.name}.last")
    if folder.exists():
        folder.rename(last)
    fresh.rename(folder)
    shutil.rmtree(last, ignore_errors=True)


def _succeed(command: CommandLine, failure: str) -> None:
    if run(command) != 0:
        raise Failure(f"{failure}, for the reason above: mend it and build again.")


def _stamp(folder: Path) -> Path:
    return paths.CACHE / f"{folder.name}.stamp"
