"""`python -m checks`: which checks run, what is printed, how it exits."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.__main__ import CHECKS, main
from tests.checks.trees import docs_tree, replace, write


def test_all_is_well_exits_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(docs_tree(tmp_path))
    assert main(["parity", "--update", "--root", root]) == 0
    assert main(["parity", "glossary", "hosts", "imports", "--root", root]) == 0
    assert capsys.readouterr().out.endswith("parity, glossary, hosts, imports: all well\n")


def test_every_problem_of_every_check_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vacuous = "def test_a(cases):\n    for case in cases:\n        assert case\n"
    layers = {"labs/cluster/__init__.py": "", "labs/cluster/node.py": "import simpy\n"}
    write(docs_tree(tmp_path), {**layers, "tests/test_a.py": vacuous})
    replace(tmp_path, "docs/ja/page.md", "枠が並びます。", "サーバが並ぶ。")
    assert main(["--root", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert all(
        f"[{name}]" in printed
        for name in CHECKS
        if name not in {"hosts", "scripts", "rooms", "names", "html"}
    )
    assert "labs/cluster/node.py:1: " in printed


def test_an_acknowledgement_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(docs_tree(tmp_path))
    main(["parity", "--update", "--root", root])
    replace(tmp_path, "docs/ja/page.md", "## 手順", "## 進め方")
    assert main(["parity", "--root", root]) == 1
    asked = ["parity", "--acknowledge", "page.md#steps", "--reason", "a nicer word", "--root", root]
    assert main(asked) == 0
    assert "accepted that only ja changed" in capsys.readouterr().out


def test_an_acknowledgement_of_nothing_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(docs_tree(tmp_path))
    main(["parity", "--update", "--root", root])
    assert main(["parity", "--acknowledge", "page.md#no", "--reason", "x", "--root", root]) == 1
    assert "is no section of all languages" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["spelling"],
        ["--update"],
        ["hosts", "--update"],
        ["parity", "--acknowledge", "a#b"],
        ["parity", "--reason", "x"],
    ],
)
def test_wrong_usage_exits_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
