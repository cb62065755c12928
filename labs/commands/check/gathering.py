"""Which files a call is about: those named, and below folders those that are YAML and not left out.

What can't be read stops nobody else's check: it is told, with the reason.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from labs.commands.check.ignoring import Patterns, patterns
from labs.commands.terminal import INPUT_LIMIT, InputError, Terminal, printable
from labs.config.documents import GLANCED_ENDINGS
from labs.report.writing import visible_path

ENDINGS = (".yaml", ".yml")
_MET = (*ENDINGS, *GLANCED_ENDINGS)
IGNORE_FILE = ".gitignore"
NEVER_ENTERED = frozenset({".git", ".hg", ".svn", ".terraform", ".venv", "__pycache__", "node_modules"})
_DEEPEST = 100
_BINARY = (
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"\x7fELF",
    b"\x89PNG",
    b"%PDF-",
    b"BZh",
    b"\xfd7zXZ",
    b"\x28\xb5\x2f\xfd",
)
_BYTE_ORDER = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not read, in words why not; `named` where the call named it.

    `problem` is the whole sentence about it, where there is more to say than the reason.
    """

    path: str
    reason: str
    named: bool
    problem: str = ""

    def words(self, terminal: Terminal) -> str:
        """A line about it."""
        line = terminal.messages.text("check.unread.line", path=visible_path(self.path), reason=self.reason)
        return self.problem or line


@dataclass(slots=True)
class Gathered:
    """The contents of files by path, in order, and what was not read. `named` are the paths that the call named."""

    contents: dict[str, bytes] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    named: set[str] = field(default_factory=set)

    def skip(self, path: str, reason: str, problem: str = "") -> None:
        """Leaves a file out, for that reason."""
        self.contents.pop(path, None)
        named = path in self.named
        self.skipped.append(Skipped(path, reason, named, problem if named else ""))


def gather(
    arguments: Sequence[str],
    left_out: Sequence[tuple[Path, Sequence[str]]],
    terminal: Terminal,
    *,
    ignore_files: bool,
) -> Gathered:
    """The files of a call; a folder without any is warned of.

    `left_out` are patterns, each list with the folder that it is relative to; those of the folders' `.gitignore` count too
    with `ignore_files`.
    """
    gathered = Gathered()
    excluded = [(_anchor(folder), patterns(lines)) for folder, lines in left_out]
    for path in dict.fromkeys(arguments):
        if path == "-" or not os.path.isdir(path):
            gathered.named.add(path)
            _take_named(path, gathered, terminal)
            continue
        before = len(gathered.contents) + len(gathered.skipped)
        for below in _below(Path(path), excluded, ignore_files):
            if below not in gathered.contents:
                _take_met(below, gathered, terminal)
        if len(gathered.contents) + len(gathered.skipped) == before:
            words = terminal.messages.text("check.no-files", path=path, endings=", ".join(ENDINGS))
            sys.stderr.write(printable(words + "\n"))
    return gathered


def _take_named(path: str, gathered: Gathered, terminal: Terminal) -> None:
    text = terminal.messages.text
    try:
        content = _content(path, terminal)
    except OSError as error:
        reason = error.strerror or str(error)
        problem = text("cli.cannot-read", path=visible_path(path), reason=reason)
        gathered.skip(path, text("check.unread.system", reason=reason), problem)
        return
    except ValueError as error:
        gathered.skip(path, str(error), text("cli.cannot-read", path=visible_path(path), reason=str(error)))
        return
    except InputError as error:
        gathered.skip(path, str(error), str(error))
        return
    gathered.contents[path] = content
    if len(content) > INPUT_LIMIT:
        problem = text("cli.too-large", path=path, limit=INPUT_LIMIT)
        gathered.skip(path, text("check.unread.too-large", limit=INPUT_LIMIT), problem)
    elif _is_binary(content):
        gathered.skip(path, text("check.unread.binary"))


def _content(path: str, terminal: Terminal) -> bytes:
    """The bytes of a file, a pipe or standard input, one more than are read at most."""
    if path == "-":
        return terminal.read_bytes(path)
    with Path(path).open("rb") as file:
        return file.read(INPUT_LIMIT + 1)


def _take_met(path: str, gathered: Gathered, terminal: Terminal) -> None:
    text = terminal.messages.text
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            gathered.skip(path, text("check.unread.no-file"))
        elif status.st_size > INPUT_LIMIT:
            if path.endswith(GLANCED_ENDINGS):
                return
            gathered.skip(path, text("check.unread.too-large", limit=INPUT_LIMIT))
        else:
            content = Path(path).read_bytes()
            if path.endswith(GLANCED_ENDINGS) and not _names_chart(content):
                return
            if _is_binary(content):
                gathered.skip(path, text("check.unread.binary"))
            else:
                gathered.contents[path] = content
    except OSError as error:
        gathered.skip(path, text("check.unread.system", reason=error.strerror or str(error)))


def _names_chart(content: bytes) -> bool:
    """Whether a file that is no YAML is to be spoken of: it names one of the charts, or settings of a node."""
    from labs.config.documents import wrapped  # few folders hold such files

    return wrapped.names_chart(content.decode("utf-8", "replace"))


def _is_binary(content: bytes) -> bool:
    """Whether this is no text at all; a text with a character that YAML refuses is one, for the loader to judge."""
    if content.startswith(_BINARY):
        return True
    if b"\0" not in content or content.startswith(_BYTE_ORDER):
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


Layer = tuple[str, Patterns]
"""Patterns, and the folder that they are relative to: its whole path with slashes, and one at the end."""


def _anchor(folder: Path) -> str:
    return os.path.abspath(folder).replace(os.sep, "/").rstrip("/") + "/"


def _below(folder: Path, excluded: Sequence[Layer], ignore_files: bool) -> Iterator[str]:
    """The YAML files below a folder in the order of their paths; links to folders are not followed."""
    layers: dict[Path, list[Layer]] = {folder: _above(folder) if ignore_files else []}
    files: list[Path] = []
    depth = len(folder.parts)
    for walked, folders, names in os.walk(folder):
        here = Path(walked)
        ignored = layers.pop(here, [])
        if ignore_files and IGNORE_FILE in names:
            ignored = [*ignored, *_own_layer(here)]
        base = _anchor(here)

        def left_out(
            name: str, is_folder: bool, base: str = base, ignored: Sequence[Layer] = ignored
        ) -> bool:
            path = base + name
            return _says(excluded, path, is_folder) or _says(ignored, path, is_folder)

        folders[:] = [
            name
            for name in folders
            if name not in NEVER_ENTERED and len(here.parts) - depth < _DEEPEST and not left_out(name, True)
        ]
        layers.update({here / name: ignored for name in folders})
        files += [here / name for name in names if name.endswith(_MET) and not left_out(name, False)]
    yield from map(str, sorted(files))


def _above(folder: Path) -> list[Layer]:
    """What the ignore files of the folders above say, up to the root of the repository; nothing where there is none."""
    layers: list[Layer] = []
    for parent in Path(os.path.abspath(folder)).parents:
        layers[:0] = _own_layer(parent)
        if (parent / ".git").exists():
            return layers
    return []


def _own_layer(folder: Path) -> list[Layer]:
    try:
        lines = (folder / IGNORE_FILE).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    return [(_anchor(folder), patterns(lines))]


def _says(layers: Sequence[Layer], path: str, is_folder: bool) -> bool:
    """Whether one of the layers leaves the path out; what a deeper folder says goes first."""
    for anchor, layer in reversed(layers):
        if path.startswith(anchor):
            said = layer.leaves_out(path.removeprefix(anchor), is_folder)
            if said is not None:
                return said
    return False
