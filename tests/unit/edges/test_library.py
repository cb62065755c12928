"""All data in one value, with a project's own over the package's."""

from __future__ import annotations

from pathlib import Path

import pytest

from labs.config.own.problem import ProblemsError
from labs.hardware.catalog.errors import CatalogError
from labs.hardware.catalog.writer import write_catalog
from labs.library import LANGUAGES, UnknownLabError, builtin_library
from labs.simulation.outcome.evaluate import evaluate
from labs.simulation.scenario.workloads import WorkloadsError

OWN_LAB = "format: 1\nid: own\nscenario: |\n  format: 1\n"


def test_the_package_brings_cards_labs_and_three_languages() -> None:
    library = builtin_library()
    assert "slots-and-memory" in library.labs
    assert tuple(library.messages) == LANGUAGES
    assert all(library.messages[language].language == language for language in LANGUAGES)
    assert tuple(library.names) == library.catalog.ids


def test_the_file_of_a_lab_is_named_for_it() -> None:
    folder = Path(__file__).parents[3] / "labs" / "teaching" / "data" / "labs"
    assert sorted(path.stem for path in folder.glob("*.yaml")) == sorted(builtin_library().labs)


def test_an_unknown_lab_names_those_there_are() -> None:
    with pytest.raises(UnknownLabError) as caught:
        builtin_library().lab("nobody")
    assert (caught.value.lab_id, caught.value.known) == ("nobody", tuple(builtin_library().labs))


def test_a_folder_of_ones_own_lies_over_the_package(tmp_path: Path) -> None:
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs" / "own.yaml").write_text(OWN_LAB, "utf-8")
    (tmp_path / "labs" / "notes.txt").write_text("not a lab", "utf-8")
    over = builtin_library().overlaid(tmp_path)
    assert over.lab("own").scenario == "format: 1\n"
    assert over.lab("slots-and-memory") is builtin_library().lab("slots-and-memory")
    assert "own" not in builtin_library().labs


def test_a_lab_of_ones_own_may_replace_one_of_the_package(tmp_path: Path) -> None:
    (tmp_path / "labs").mkdir()
    own = OWN_LAB.replace("own", "slots-and-memory")
    (tmp_path / "labs" / "mine.yaml").write_text(own, "utf-8")
    assert builtin_library().overlaid(tmp_path).lab("slots-and-memory").scenario == "format: 1\n"


def test_an_empty_folder_changes_nothing(tmp_path: Path) -> None:
    over = builtin_library().overlaid(tmp_path)
    assert dict(over.labs) == dict(builtin_library().labs)
    assert over.catalog is builtin_library().catalog


def test_a_catalog_of_ones_own_replaces_cards(tmp_path: Path) -> None:
    catalog = builtin_library().catalog
    (tmp_path / "catalog.json").write_text(write_catalog(catalog), "utf-8")
    assert builtin_library().overlaid(tmp_path).catalog.ids == catalog.ids


def test_what_is_wrong_with_ones_own_files_is_said(tmp_path: Path) -> None:
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs" / "own.yaml").write_text("format: 9\n", "utf-8")
    with pytest.raises(ProblemsError):
        builtin_library().overlaid(tmp_path)
    (tmp_path / "catalog.json").write_text("[]", "utf-8")
    with pytest.raises(CatalogError):
        builtin_library().overlaid(tmp_path)


def test_every_lab_lies_in_the_file_of_its_id() -> None:
    assert all(name == lab.id for name, lab in builtin_library().labs.items())


def test_workloads_of_ones_own_lie_beside_those_of_the_package(tmp_path: Path) -> None:
    row = (
        '{"id": "own", "job": {"kind": "service", "soloTime": "5ms", "residency": 1, "demand": 0.5}, '
        '"dataset": "own", "point": null, "batch": 1, "assumed": []}'
    )
    (tmp_path / "workloads.json").write_text(f'{{"format": 1, "workloads": [{row}]}}', "utf-8")
    over = builtin_library().overlaid(tmp_path)
    assert over.workloads()["own"].job.solo_time_us == 5_000
    assert set(builtin_library().workloads()) < set(over.workloads())
    scenario = (
        "format: 1\nhorizon: 1m\nnodes: [{name: node-1, gpus: {model: t4-16gb, count: 1}}]\n"
        "workloads: [{name: work, request: {nvidia.com/gpu: 1}, job: {use: own}}]\n"
    )
    assert evaluate(scenario, over.catalog, workloads=over.workloads).pods[0].solo_latency_ms == 5.0


def test_workloads_that_are_not_of_their_form_are_refused(tmp_path: Path) -> None:
    (tmp_path / "workloads.json").write_text("[]", "utf-8")
    with pytest.raises(WorkloadsError):
        builtin_library().overlaid(tmp_path)
