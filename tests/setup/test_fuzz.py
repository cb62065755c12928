"""`dev.py test` draws the same examples each time; `dev.py fuzz` draws many more, and says how to draw them again."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.random_sample import TIMES
from tools import cli, fuzz
from tools.process import CommandLine

Ran = list[tuple[list[str], dict[str, str]]]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Ran:
    """What would be run, with its environment."""
    commands: Ran = []

    def record(command: CommandLine, **environment: str) -> int:
        commands.append(([str(part) for part in command[1:]], environment))
        return 0

    monkeypatch.setattr(fuzz, "run", record)
    return commands


@pytest.mark.skipif(TIMES > 1, reason="this is dev.py fuzz")
def test_the_tests_draw_the_same_examples_each_time() -> None:
    default = settings.get_profile("gpulab")
    assert (default.derandomize, default.database, default.max_examples) == (True, None, 100)


def test_the_seed_goes_to_all_that_draws_and_is_printed(ran: Ran, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fuzz", "--seed", "7", "--times", "3", "--count", "11"]) == 0
    (properties, times), (files, _) = ran
    assert properties[:4] == ["-m", "pytest", "-m", "hypothesis"]
    assert "--hypothesis-seed=7" in properties
    assert times == {"GPULAB_FUZZ_TIMES": "3"}
    assert files == ["-m", "tests.fuzz_check", "--seed", "7", "--count", "11"]
    assert "dev.py fuzz --seed 7 --times 3 --count 11" in capsys.readouterr().out


def test_without_a_seed_another_is_taken_each_time(ran: Ran) -> None:
    for _ in range(2):
        assert cli.main(["fuzz"]) == 0
    first, again = ran[0][0][-1], ran[2][0][-1]
    assert first.startswith("--hypothesis-seed=")
    assert first != again


def test_both_are_run_and_either_can_fail(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter([1, 0, 0, 1])
    monkeypatch.setattr(fuzz, "run", lambda command, **environment: next(codes))
    assert [cli.main(["fuzz", "--seed", "1"]) for _ in range(2)] == [1, 1]
    assert list(codes) == []
