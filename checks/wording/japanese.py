"""Japanese prose read by textlint: technical writing, the JTF style guide, spacing, names.

`textlint.yaml` is the configuration, `words.yml` the dictionary of names; to it come the words that the
glossary keeps in Latin letters.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from checks.glossary import read_terms
from checks.problem import Problem
from checks.wording.markdown_text import plain_markdown
from checks.wording.sources import spoken_messages
from tools import prose
from tools.node_env import find_node
from tools.paths import TEXTLINT
from tools.process import Failure

_FOLDER = Path(__file__).parent
_NAME = re.compile(r"[A-Za-z][A-Za-z ]+")


@dataclass(frozen=True, slots=True)
class _Text:
    """A file as textlint is given it: Markdown, and for each of its lines the line of the file."""

    path: str
    markdown: str
    lines: tuple[int, ...]


def read(root: Path, sources: Sequence[str]) -> list[Problem]:
    """What textlint finds in these pages and messages (paths from the root)."""
    if not sources:
        return []
    texts = [_page(root, path) if path.endswith(".md") else _messages(root, path) for path in sources]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(_FOLDER / "textlint.yaml", folder)
        (folder / "words.yml").write_text(dictionary(), encoding="utf-8")
        for number, text in enumerate(texts):
            (folder / f"{number}.md").write_text(text.markdown, encoding="utf-8")
        found = _textlint(folder)
    return sorted({problem for file in found for problem in _problems(file, texts)})


def dictionary() -> str:
    """The names with one spelling, as a dictionary of `prh`."""
    own = (_FOLDER / "words.yml").read_text(encoding="utf-8")
    latin = [term.ja for term in read_terms() if _NAME.fullmatch(term.ja) and term.ja in term.en]
    return own + "".join(
        f"  - {{expected: {name}, pattern: '/(?<![\\w./-]){name}(?![\\w./-])/i'}}\n"
        for name in dict.fromkeys(latin)
        if f"expected: {name}," not in own
    )


def _page(root: Path, path: str) -> _Text:
    markdown = plain_markdown((root / path).read_text(encoding="utf-8"))
    return _Text(path, markdown, tuple(range(1, markdown.count("\n") + 2)))


def _messages(root: Path, path: str) -> _Text:
    """Each sentence a paragraph, each label (it ends without a mark) a heading."""
    said = [line for line in spoken_messages(root, "ja") if line[0] == path]
    parts = [line if line.endswith(("。", "？", "！")) else f"###### {line}" for _, _, line in said]
    lines = tuple(number for _, number, _ in said for _ in range(2))
    return _Text(path, "\n\n".join(parts), lines)


def _textlint(folder: Path) -> list[dict[str, object]]:
    prose.set_up()
    modules = TEXTLINT / "node_modules"
    program = modules / "textlint" / "bin" / "textlint.js"
    options = ["--config", "textlint.yaml", "--rules-base-directory", str(modules), "--format", "json"]
    command = [
        find_node().node,
        str(program),
        *options,
        *sorted(file.name for file in folder.glob("*.md")),
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in (0, 1):
        raise Failure(f"textlint did not run: {(done.stderr or done.stdout).strip()}")
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def _problems(file: dict[str, object], texts: Sequence[_Text]) -> Iterator[Problem]:
    text = texts[int(Path(str(file["filePath"])).stem)]
    messages = file["messages"]
    assert isinstance(messages, list)
    for message in messages:
        what, _, how = " ".join(str(message["message"]).split("\n\n")).partition("\n")
        line = text.lines[min(message["line"], len(text.lines)) - 1]
        rule = f"textlint {message['ruleId']}"
        yield Problem(text.path, line, f"{what} ({rule})", " ".join(how.split()) or "rewrite the sentence")
