"""The scripts of a site that is opened from a folder: whole, plain, and only made of what can be made plain."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hooks.folder import plain_page, plain_script
from tools.node_env import find_node
from tools.paths import ROOT

WEB = ROOT / "labs" / "web"


@pytest.mark.parametrize(
    "entry",
    [
        WEB / f"{name}.js"
        for name in ("gpu-lab", "gpu-check", "gpu-planner", "gpu-form", "gpu-rollout", "worker")
    ],
    ids=lambda path: path.name,
)
def test_a_plain_script_needs_no_module(entry: Path, tmp_path: Path) -> None:
    script = plain_script(entry)
    assert "import.meta" not in script
    (tmp_path / "plain.cjs").write_text(script, "utf-8")
    checked = subprocess.run(
        [find_node().node, "--check", str(tmp_path / "plain.cjs")],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert checked.stderr == ""


def test_modules_share_what_they_import_and_run_in_order(tmp_path: Path) -> None:
    (tmp_path / "list.js").write_text("export const heard = [];\n", "utf-8")
    (tmp_path / "one.js").write_text(
        'import { heard } from "./list.js";\nexport function say(word) { heard.push(word); }\nsay("one");\n',
        "utf-8",
    )
    (tmp_path / "two.js").write_text(
        'import { heard } from "./list.js";\nimport { say } from "./one.js";\nsay("two");\nconsole.log(heard.join());\n',
        "utf-8",
    )
    ran = subprocess.run(
        [find_node().node, "--eval", plain_script(tmp_path / "two.js")],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.stdout == "one,two\n"


@pytest.mark.parametrize(
    "line", ['import all from "./x.js";', "export default 1;", 'export * from "./x.js";', "export { a };"]
)
def test_what_cannot_be_made_plain_stops_the_build(line: str, tmp_path: Path) -> None:
    (tmp_path / "x.js").write_text(f"{line}\n", "utf-8")
    with pytest.raises(ValueError, match="a plain script cannot be made of"):
        plain_script(tmp_path / "x.js")


def test_a_page_loads_plain_scripts_in_their_order() -> None:
    page = '<script src="early.js"></script><script type="module" src="a.js"></script>'
    assert plain_page(page) == '<script src="early.js"></script><script defer src="a.js"></script>'
