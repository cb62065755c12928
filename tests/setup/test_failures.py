"""A failure is said in words, those of the installer among them, with what to do about it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import cli, node_env, process
from tools.process import Failure, install


def test_an_installer_that_fails_is_quoted_by_its_last_lines_with_its_log_and_a_remedy(project: Path) -> None:
    script = "print(*range(25), sep='\\n'); raise SystemExit('it was the disk')"
    with pytest.raises(Failure) as failure:
        install("The Python packages", [sys.executable, "-c", script])
    lines = str(failure.value).splitlines()
    assert lines[0] == (
        "The Python packages could not be installed. The installer's last lines (all of them: .cache/install.log):"
    )
    assert len(lines) == 1 + process.LAST_LINES + 1
    assert "    it was the disk" in lines
    assert "PIP_INDEX_URL" in lines[-1]
    assert lines[-1].endswith("then run the same command again.")
    assert process.INSTALL_LOG.read_text("utf-8").count("\n") > 25


@pytest.mark.parametrize(("size", "is_kept"), [(1, True), (process.INSTALL_LOG_BYTES, False)])
def test_a_log_that_has_grown_long_is_begun_anew(project: Path, size: int, is_kept: bool) -> None:
    process.INSTALL_LOG.write_text("before" + "\n" * size, "utf-8")
    install("Nothing", [sys.executable, "-c", "print('now')"])
    log = process.INSTALL_LOG.read_text("utf-8")
    assert log.endswith("now\n\n")
    assert log.startswith("before") == is_kept


def test_an_unreachable_registry_is_named_by_npm_itself(project: Path) -> None:
    nobody = {
        "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9/",
        "NPM_CONFIG_FETCH_RETRIES": "0",
        "NPM_CONFIG_CACHE": str(project / "empty"),
    }
    with pytest.raises(Failure, match="ECONNREFUSED"):
        install("The browser's packages", [node_env.find_node().npm, "ci"], **nobody)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (Failure("The disk is full."), "dev.py: The disk is full.\n"),
        (
            PermissionError(13, "Permission denied", "site"),
            "dev.py: Permission denied (site): mend that, then run the same command again.\n",
        ),
    ],
)
def test_a_command_that_fails_says_so_without_a_traceback(
    error: Exception, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> int:
        raise error

    assert cli.answer(fail) == 1
    assert capsys.readouterr().err == sentence
