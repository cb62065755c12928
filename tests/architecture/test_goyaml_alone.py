"""The room `goyaml` reads YAML without the rest of the project, so that it can be released by itself."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOM = Path(__file__).parents[2] / "labs" / "config" / "goyaml"
SCRIPT = """
from labs.config.goyaml import YamlSyntaxError, decode, read
root = read("a: [1, on]")
print(list(decode(root, max_depth=9, max_nodes=9)))
try:
    read("a: [")
except YamlSyntaxError as error:
    print(error)
"""


def test_goyaml_reads_where_nothing_else_of_the_project_is(tmp_path: Path) -> None:
    copy = tmp_path / "labs" / "config" / "goyaml"
    shutil.copytree(ROOM, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (copy.parent, copy.parent.parent):
        (folder / "__init__.py").touch()
    command = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{SCRIPT}",
    ]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.stderr == ""
    assert answer.stdout.splitlines() == [
        "[('a', [1, True])]",
        "yaml: line 1: did not find expected node content",
    ]
