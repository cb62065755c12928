"""`gpulab estimate`: words, JSON, exit codes, and options that can't be used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from labs.cli import main
from labs.library import LANGUAGES

Ran = tuple[int, str, str]
Run = Callable[..., Ran]
YOLOS = ("--solo", "88.15ms", "--gpu", "a100-80gb")


@pytest.fixture
def estimate(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `gpulab estimate` in this process: (exit code, standard output, standard error)."""

    def run(*arguments: str) -> Ran:
        code = main(["estimate", "--lang", "en", *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_the_words(estimate: Run) -> None:
    code, out, err = estimate(*YOLOS, "--mps", "7=319.8ms", "--time-slicing", "3=293ms", "--copies", "7")
    assert (code, err) == (0, "")
    assert "Alone: 88.2 ms (11.3/s)." in out
    assert "Residency: 1, from the time-sliced copies." in out
    assert "Demand: 0.485, from what was measured under MPS or on MIG." in out
    assert "job: {kind: service, soloTime: 88.15ms, residency: 1, demand: 0.485}" in out
    assert "time-slicing (±18%)" in out


def test_the_json(estimate: Run) -> None:
    code, out, _ = estimate(*YOLOS, "--mig", "1g.10gb=2.92/s", "--copies", "2", "--format", "json")
    answer = json.loads(out)
    assert code == 0
    assert answer["residency"] == {"value": 1.0, "from": "assumed"}
    assert answer["demand"]["value"] == pytest.approx(0.485, abs=0.01)
    assert answer["contradictions"] == []
    assert [(each["mechanism"], each["copies"]) for each in answer["predictions"]][:3] == [
        ("time-slicing", 2),
        ("mps", 2),
        ("mps", 2),
    ]
    assert all(each["errorPercent"] >= 5 for each in answer["predictions"])


@pytest.mark.parametrize("kind", ["service", "training"])
def test_the_job_that_it_prints_runs(estimate: Run, tmp_path: Path, kind: str) -> None:
    _, out, _ = estimate(*YOLOS, "--kind", kind, "--mps", "7=319.8ms", "--format", "json")
    path = tmp_path / "scenario.yaml"
    path.write_text(
        "format: 1\nhorizon: 1m\nnodes: [{name: node-1, gpus: {model: a100-80gb, count: 1}}]\n"
        "workloads:\n  - name: work\n    request: {nvidia.com/gpu: 1}\n    " + json.loads(out)["job"] + "\n",
        "utf-8",
    )
    assert main(["run", str(path)]) == 0


def test_measurements_that_can_not_be_are_bad_news(estimate: Run) -> None:
    code, out, _ = estimate(*YOLOS, "--mig", "1g.10gb=70ms")
    assert code == 1
    assert "70 ms is faster than alone (88.2 ms)" in out
    code, out, _ = estimate(*YOLOS, "--utilization", "30%", "--mps", "7=319.8ms", "--format", "json")
    assert code == 1
    assert [each["conflict"] for each in json.loads(out)["contradictions"]] == [
        "demand-over-residency",
        "apart",
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--solo", "soon"), "--solo soon is neither a time nor a rate. Write 88ms"),
        (("--solo", "0"), "--solo 0 is neither"),
        (("--solo", "0/s"), "--solo 0/s is neither"),
        (("--solo", "48h"), "--solo 48h is neither"),
        (("--solo", "1ms", "--mps", "7"), "--mps 7 is not of the form that is read here, such as 7=320ms"),
        (("--solo", "1ms", "--mps", "7=0"), "--mps 7=0 is not of the form"),
        (("--solo", "1ms", "--mps", "1=2ms"), "--mps 1=2ms: the number of Pods goes from 2 to 48"),
        (("--solo", "1ms", "--mps", "49=2ms"), "from 2 to 48"),
        (("--solo", "1ms", "--time-slicing", "x=2ms"), "such as 3=293ms"),
        (("--solo", "1ms", "--threads", "101=2ms"), "a thread percentage goes from 1 to 100"),
        (("--solo", "1ms", "--threads", "25x0=2ms"), "such as 25=190ms"),
        (("--solo", "1ms", "--mig", "1g.10gb=2ms"), "Add --gpu, such as --gpu a100-80gb"),
        (
            ("--solo", "1ms", "--gpu", "a100-80gb", "--mig", "9g=2ms"),
            "a100-80gb has no such profile. Known: 1g.10gb",
        ),
        (("--solo", "1ms", "--gpu", "t4-16gb", "--mig", "1g.10gb=2ms"), "t4-16gb has no such profile"),
        (("--solo", "1ms", "--gpu", "a100"), "Did you mean"),
        (("--solo", "1ms", "--utilization", "120%"), "no share above 0 and up to 1"),
        (("--solo", "1ms", "--utilization", "busy"), "Write 0.86 or 86%"),
        (("--solo", "1ms", "--copies", "1"), "--copies 1 is out of range: give 2 to 48"),
        (("--mps", "7=3ms"), "Missing: --solo"),
    ],
)
def test_what_can_not_be_used_is_told_with_what_to_do(
    estimate: Run, arguments: tuple[str, ...], told: str
) -> None:
    code, out, err = estimate(*arguments)
    assert (code, out) == (2, "")
    assert told in err


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_words(estimate: Run, language: str) -> None:
    for arguments in (
        (*YOLOS, "--mig", "1g.10gb=70ms", "--time-slicing", "3=900ms"),
        (*YOLOS, "--utilization", "30%", "--mps", "7=319.8ms"),
        YOLOS,
    ):
        _, out, err = estimate("--lang", language, *arguments)
        assert "a100" not in out
        assert "1g.10gb" in out
        assert err == ""


@pytest.mark.parametrize(
    ("gpu", "clients"), [(("--gpu", "v100-16gb"), 16), (("--gpu", "t4-16gb"), 18), ((), 18)]
)
def test_mps_is_forecast_for_as_many_clients_as_the_device_plugin_allows(
    estimate: Run, gpu: tuple[str, ...], clients: int
) -> None:
    """The daemon refuses more than 16 replicas below compute capability 7.5; other ways are forecast all the same."""
    asked = ("--solo", "88ms", *gpu, "--copies", "18")
    _, out, _ = estimate(*asked, "--format", "json")
    predictions = json.loads(out)["predictions"]
    for mechanism, most in (("time-slicing", 18), ("mps", clients)):
        counts = [each["copies"] for each in predictions if each["mechanism"] == mechanism]
        assert sorted(set(counts)) == list(range(2, most + 1))
    _, out, _ = estimate(*asked)
    (row,) = [line.split() for line in out.splitlines() if line.split()[:1] == ["18"]]
    assert row.count("–") == (2 if clients < 18 else 0)
