"""The built pages are valid HTML, by html-validate's recommended rules."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tools.node_env import find_node
from tools.paths import NODE_MODULES

CONFIGURATION = {
    "root": True,
    "extends": ["html-validate:recommended"],
    "rules": {
        # MkDocs and Material write it so.
        "doctype-style": ["error", {"style": "lowercase"}],
        # Python-Markdown's footnotes have ids with a colon and an <hr />; both are valid.
        "valid-id": ["error", {"relaxed": True}],
        "void-style": "off",
        # A table that a phone shows row by row spells its roles out (hooks/typography.py).
        "no-redundant-role": "off",
        # A lab's form is never submitted: it answers each change.
        "wcag/h32": "off",
    },
}
GOOD = """\
<!doctype html>
<html lang="en">
<head><title>A page</title></head>
<body><main><h1>A page</h1><p id="one:two">Words.</p></main></body>
</html>
"""


def complaints(folder: Path, configuration: Path) -> list[str]:
    """What html-validate has against the pages of a folder: file, line, rule, sentence."""
    configuration.write_text(json.dumps(CONFIGURATION), "utf-8")
    program = NODE_MODULES / "html-validate" / "bin" / "html-validate.mjs"
    pages = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.html"))]
    assert pages
    command = [find_node().node, str(program), "--config", str(configuration), "--formatter", "json"]
    answer = configuration.with_suffix(".answer")
    with answer.open("w", encoding="utf-8") as file:  # Node leaves before a pipe has taken a long answer
        done = subprocess.run([*command, *pages], cwd=folder, stdout=file, stderr=subprocess.PIPE, text=True)
    assert done.returncode in (0, 1), done.stderr
    return [
        f"{Path(file['filePath']).relative_to(folder.resolve())}:{message['line']}: "
        f"{message['ruleId']}: {message['message']} ({message.get('selector')})"
        for file in json.loads(answer.read_text("utf-8") or "[]")
        for message in file["messages"]
    ]


@pytest.mark.slow
def test_every_page_of_the_site_is_valid(site: Path, tmp_path: Path) -> None:
    assert complaints(site, tmp_path / "html-validate.json") == []


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        ("<p><div>A block in a paragraph</div></p>", "close-order"),
        ('<p id="same"></p><p id="same"></p>', "no-dup-id"),
        ("<button>A button</button>", "no-implicit-button-type"),
        ('<img src="a.png">', "wcag/h37"),
        ("<p>1 < 2</p>", "no-raw-characters"),
        ('<p style="color: red">Red</p>', "no-inline-style"),
        ('<ul><p role="list">x</p></ul>', "element-permitted-content"),
    ],
)
def test_a_fault_is_found(fault: str, rule: str, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "good.html").write_text(GOOD, "utf-8")
    (folder / "bad.html").write_text(GOOD.replace("<h1>", f"{fault}<h1>"), "utf-8")
    said = complaints(folder, tmp_path / "html-validate.json")
    assert any(line.startswith("bad.html:") and f" {rule}: " in line for line in said), said
    assert not any(line.startswith("good.html:") for line in said)
