"""The terminal's streams: closed, full or left by whoever read; and texts that a terminal would obey."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from labs.cli import main
from labs.commands.terminal import printable
from labs.library import LANGUAGES, builtin_library
from tests.unit.scenarios import STORY, node, pods, scenario

FULL = Path("/dev/full")
NODE = 'gpus: [{name: Tesla T4, memoryMiB: 15360, computeCapability: "7.5"}]'
posix = pytest.mark.skipif(sys.platform == "win32", reason="redirections of a POSIX shell")


@pytest.fixture
def shell(tmp_path: Path) -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Runs a shell's line in which $GPULAB is the command, with a scenario, a config and a node file beside it."""
    (tmp_path / "scenario.yaml").write_text(STORY, encoding="utf-8")
    (tmp_path / "config.yaml").write_text("version: v1\n", encoding="utf-8")
    (tmp_path / "node.yaml").write_text(NODE, encoding="utf-8")

    def run(line: str) -> subprocess.CompletedProcess[str]:
        command = line.replace("$GPULAB", f"'{sys.executable}' -m labs.cli")
        return subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )

    return run


PRINTING = [
    "run scenario.yaml",
    "check config.yaml --format json",
    "advertise config.yaml --node node.yaml",
    "lab list",
]


@posix
@pytest.mark.parametrize("command", PRINTING)
def test_a_closed_output_changes_no_exit_code(
    shell: Callable[[str], subprocess.CompletedProcess[str]], command: str
) -> None:
    done = shell(f"$GPULAB {command} >&-")
    assert (done.returncode, done.stderr) == (0, "")


@posix
@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(("command", "language"), list(zip(PRINTING, [*LANGUAGES, "en"], strict=True)))
def test_an_output_that_takes_no_more_is_told(
    shell: Callable[[str], subprocess.CompletedProcess[str]], command: str, language: str
) -> None:
    done = shell(f"$GPULAB --lang {language} {command} >{FULL}")
    head = builtin_library().messages[language].text("cli.cannot-write", reason="|").partition("|")[0]
    assert done.returncode == 2
    assert done.stderr.startswith(head)
    assert "Traceback" not in done.stderr


@posix
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "2>&1 >&- | true; exit 2"])
def test_what_nobody_hears_is_code_2_all_the_same(
    shell: Callable[[str], subprocess.CompletedProcess[str]], redirection: str
) -> None:
    done = shell(f"$GPULAB run nothing.yaml {redirection}")
    assert (done.returncode, done.stderr) == (2, "")


@posix
def test_a_closed_input_is_an_input_that_can_not_be_read(
    shell: Callable[[str], subprocess.CompletedProcess[str]],
) -> None:
    done = shell("$GPULAB --lang en run - <&-")
    assert done.returncode == 2
    assert done.stderr.startswith("- can't be read: ")


@posix
def test_help_for_somebody_who_has_left(shell: Callable[[str], subprocess.CompletedProcess[str]]) -> None:
    assert shell("$GPULAB run --help | true").stderr == ""


# What a terminal would obey

OBEYED = "\x1b[2J\x07\x9b31m\u202e\u2066\x7f"
ESCAPED = r"\e[2J\a\x9b31m\u202e\u2066\x7f"
CONTROL = re.compile(r"[^\n -~\xa0-\u2027\u202f-\u2065\u206a-\uffff]")
VERSION = f'version: "v{ESCAPED}2"'
NAMED = scenario([node()], [pods(OBEYED)])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("arguments", "texts"),
    [
        (["run", "0.yaml"], [NAMED]),  # a value that a problem quotes
        (["run", "0.yaml"], [scenario([node(text=VERSION)], [pods("a")])]),  # the loader's words in a result
        (["advertise", "0.yaml", "--node", "1.yaml"], [VERSION, NODE]),
        (["check", "--kind", "device-plugin", "0.yaml"], [VERSION]),
        (["advertise", "0.yaml", "--node", "1.yaml"], ["version: v1", f'"{ESCAPED}": 1']),
        (["run", f"{OBEYED}.yaml"], []),
        (["lab", "run", OBEYED], []),
        ([OBEYED], []),
    ],
)
def test_no_text_that_is_not_ours_reaches_the_terminal_as_a_command(
    arguments: list[str],
    texts: list[str],
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for number, text in enumerate(texts):
        Path(f"{number}.yaml").write_text(text, encoding="utf-8")
    assert main(["--lang", language, *arguments]) in (1, 2)
    printed = "".join(capsys.readouterr())
    assert not CONTROL.search(printed)


@pytest.mark.parametrize("text", ["", "a\nb", "日本語 한국어 é 👩", "a\u3000b\xa0c"])
def test_what_can_be_read_stays(text: str) -> None:
    assert printable(text) == text
