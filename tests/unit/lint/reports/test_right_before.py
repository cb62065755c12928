"""Reports of people that `gpulab check` answered rightly from the start, and files that work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from labs.cli import main
from labs.cluster.sample_nodes import SAMPLE_NODES
from tests.report_cases import KNOWING, REPORTS, case, said


def yaml_of(name: str) -> dict[str, str]:
    return {
        path: text for path, text in case(name).items() if not path.endswith(("nodes.yaml", "Chart.yaml"))
    }


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "rename-under-flags",
            [
                "configmap.yaml:9:7 GL103",
                "configmap.yaml:10:7 GL103",
                "configmap.yaml:12:7 GL214",
                "pod.yaml:8:28 GL901",
            ],
        ),
        ("replicas-zero-in-a-catalog", ["patch.yaml:11:23 GL202"]),
        ("mps-one-replica", ["values.yaml:17:24 GL205", "values.yaml:25:25 GL202"]),
        (
            "template-left-unrendered",
            [
                "chart/templates/config.yaml:1:3 GL101 template",
                "chart/templates/pod.yaml:12:15 GL101 template",
                "jinja-ok.yaml:6:19 GL100 placeholder",
                "values.yaml:10:30 GL205",
                "values.yaml:18:25 GL100 template",
            ],
        ),
        ("create-without-data", ["values.yaml:4:5 GL518"]),
        ("mig-one-of-two-a30", ["config.yaml:6:3 GL307"]),
    ],
)
def test_what_was_said_rightly_is_said_still(name: str, lines: list[str]) -> None:
    assert said(yaml_of(name)) == lines


@pytest.mark.parametrize("folder", sorted(path.name for path in (REPORTS / "correct-files").iterdir()))
def test_of_files_that_work_nothing_is_said_but_one_hint(folder: str) -> None:
    files = {path: text for path, text in case("correct-files").items() if path.startswith(f"{folder}/")}
    files = {path: text for path, text in files.items() if not path.endswith("cards.yaml")}
    assert files
    assert said(files) == (["e/values.yaml:17:24 GL205"] if folder == "e" else [])


def test_entries_for_gpus_that_no_given_node_has_are_pointed_at_one_by_one() -> None:
    two = {"node": SAMPLE_NODES["t4-x1"] * 2}
    files = yaml_of("mig-devices-beyond-the-node")
    asked = said(files, replace(KNOWING, nodes=two, mig_config="own"))
    assert [line.partition(" ")[2] for line in asked if "GL317" in line] == ["GL317"] * 5
    assert not any("GL317" in line for line in said(files))


@pytest.mark.parametrize(
    ("file", "code", "said_first"),
    [
        ("scenario.yaml", 0, "All 13 Pods run and have the memory"),
        ("two.yaml", 1, "4 of 13 Pods stay Pending"),
    ],
)
def test_more_than_seven_on_one_card_take_time_slicing_of_mig_devices(
    file: str, code: int, said_first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = REPORTS / "more-than-seven-on-one-h100" / file
    assert main(["--lang", "en", "run", str(path)]) == code
    assert capsys.readouterr().out.startswith(said_first)
