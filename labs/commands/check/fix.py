"""`gpulab check --fix` and `--diff`: safe fixes in the files, and nothing else of them touched."""

from __future__ import annotations

import difflib
import errno
import io
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from labs.commands.terminal import InputError, Terminal
from labs.lint.core import SourceFile
from labs.lint.findings import Finding, fixed

MOST_ROUNDS = 20
"""One fix may make room for another; more rounds than this would be going in circles."""

Check = Callable[[Mapping[str, bytes]], tuple[tuple[SourceFile, ...], Mapping[str, tuple[Finding, ...]]]]


@dataclass(frozen=True, slots=True)
class Mended:
    """Files with their safe fixes in: contents by path, what was fixed, and what is left to say about them."""

    contents: Mapping[str, bytes]
    applied: tuple[Finding, ...]
    sources: tuple[SourceFile, ...]
    findings: Mapping[str, tuple[Finding, ...]]


def mend(contents: Mapping[str, bytes], check: Check) -> Mended:
    """Applies safe fixes round by round until none is left. `check` reads and judges contents by path."""
    now = dict(contents)
    applied: list[Finding] = []
    sources, findings = check(now)
    for _ in range(MOST_ROUNDS):
        changed = False
        for source in sources:
            done = _mended(now[source.path], source, findings[source.path])
            if done is not None:
                now[source.path], fixes = done
                applied += fixes
                changed = True
        if not changed:
            break
        sources, findings = check(now)
    return Mended(now, tuple(applied), sources, findings)


def _mended(
    content: bytes, source: SourceFile, findings: Sequence[Finding]
) -> tuple[bytes, tuple[Finding, ...]] | None:
    """The content with this round's fixes, or None where there is none, or the file is not plain UTF-8."""
    wanted = [finding for finding in findings if finding.fix is not None and finding.fix.safe]
    mark = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
    text = source.text.removeprefix("\ufeff") if mark else source.text
    if not wanted or mark + text.encode() != content:
        return None
    result = fixed(source.text, wanted)
    if not result.applied:
        return None
    return mark + result.text.removeprefix("\ufeff" if mark else "").encode(), result.applied


def difference(path: str, before: bytes, after: bytes) -> str:
    """What changes in a file, as `diff -u` shows it; every line ends in the terminal's way, whatever the file's is."""
    old, new = (_lines(content) for content in (before, after))
    difference = difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in difference
    )


def _lines(content: bytes) -> list[str]:
    return io.StringIO(content.decode("utf-8", "replace"), newline=None).readlines()


def write(path: str, content: bytes, terminal: Terminal) -> None:
    """Puts the content in the file's place at once, so that nobody ever sees half of it. Raises InputError.

    A file that nobody may write stays as it is, even where its folder would let it be replaced.
    """
    place = Path(path).resolve()
    try:
        mode = place.stat().st_mode & 0o7777
        if not mode & 0o222 or not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        prefix = f".{place.name[:50]}."
        with tempfile.NamedTemporaryFile(dir=place.parent, prefix=prefix, delete=False) as file:
            new = Path(file.name)
            try:
                file.write(content)
                file.close()
                new.chmod(mode)
                new.replace(place)
            except OSError:
                new.unlink(missing_ok=True)
                raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(terminal.messages.text("check.cannot-write", path=path, reason=reason)) from None
