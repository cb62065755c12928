"""The GPU catalog: what it holds, how it is read, and what it says about a defective file."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

from labs.hardware.catalog import GpuModel, builtin_catalog
from labs.hardware.catalog.catalog import Catalog
from labs.hardware.catalog.errors import CatalogError, CatalogProblem, UnknownFigureError, UnknownGpuError
from labs.hardware.catalog.figures import Figure
from labs.hardware.catalog.reader import read_catalog
from labs.hardware.catalog.writer import write_catalog

CATALOG = builtin_catalog()
WITHOUT_MIG = ("t4-16gb", "v100-16gb", "v100-32gb", "l4-24gb", "l40s-48gb", "a10-24gb", "rtx-4090-24gb")


def figures_of(model: GpuModel) -> list[tuple[str, Figure[object]]]:
    own = [(f"{model.id}.{name}", figure) for name, figure in model.figures]
    cut = [
        (f"{model.id}.{profile.name}.{name}", figure)
        for profile in model.mig_profiles
        for name, figure in profile.figures
    ]
    return own + cut


def test_every_id_is_there_once() -> None:
    assert sorted(set(CATALOG.ids)) == sorted(CATALOG.ids)
    assert set(WITHOUT_MIG) < set(CATALOG.ids)


def test_every_figure_has_a_declared_source_and_a_confidence_or_no_value() -> None:
    unsupported = [
        name
        for model in CATALOG.models
        for name, figure in figures_of(model)
        if figure.known != (bool(figure.sources) and figure.confidence is not None)
        or not set(figure.sources) <= set(CATALOG.sources)
    ]
    assert unsupported == []


@pytest.mark.parametrize(
    ("gpu_id", "name", "capability", "memory_mib"),
    [
        ("a30-24gb", "NVIDIA A30", "8.0", 24576),
        ("a100-40gb", "NVIDIA A100-SXM4-40GB", "8.0", 40960),
        ("a100-80gb", "NVIDIA A100-SXM4-80GB", "8.0", 81920),
        ("h100-80gb-sxm", "NVIDIA H100 80GB HBM3", "9.0", 81559),
        ("b200-180gb", "NVIDIA B200", "10.0", 183359),
        ("t4-16gb", "Tesla T4", "7.5", 15360),
        ("v100-16gb", "Tesla V100-SXM2-16GB", "7.0", 16384),
        ("v100-32gb", "Tesla V100-SXM2-32GB", "7.0", 32768),
        ("l4-24gb", "NVIDIA L4", "8.9", 23034),
        ("l40s-48gb", "NVIDIA L40S", "8.9", 46068),
        ("a10-24gb", "NVIDIA A10", "8.6", 23028),
        ("rtx-4090-24gb", "NVIDIA GeForce RTX 4090", "8.9", 24564),
    ],
)
def test_cards_are_as_nvidia_smi_prints_them(
    gpu_id: str, name: str, capability: str, memory_mib: int
) -> None:
    model = CATALOG.get(gpu_id)
    assert (model.name, model.compute_capability, model.memory_mib.value) == (name, capability, memory_mib)


def test_a_card_without_a_known_product_name_goes_by_its_marketing_name() -> None:
    assert CATALOG.get("thor-igpu").name == "NVIDIA Jetson/DRIVE Thor iGPU"


@pytest.mark.parametrize("gpu_id", WITHOUT_MIG)
def test_cards_without_mig_say_so(gpu_id: str) -> None:
    model = CATALOG.get(gpu_id)
    assert (model.supports_mig, model.mig_profiles) == (False, ())


def test_a_mig_profile_keeps_its_facts() -> None:
    profile = CATALOG.get("a100-40gb").mig_profile("3g.20gb")
    assert profile is not None
    assert profile.placements.value is not None
    assert (profile.compute_slices, profile.memory_slices) == (3, 4)
    assert (profile.placements.value.size, profile.placements.value.starts) == (4, (0, 4))


def test_a_profile_that_a_card_does_not_have_is_none() -> None:
    assert CATALOG.get("a100-40gb").mig_profile("3g.40gb") is None


def test_the_file_survives_reading_and_writing_to_the_byte() -> None:
    text = resources.files("labs.hardware").joinpath("catalog.json").read_text(encoding="utf-8")
    assert write_catalog(read_catalog(text)) == text


@pytest.mark.parametrize(
    ("wanted", "first"),
    [
        ("a100", "a100-40gb"),
        ("A100-40GB", "a100-40gb"),
        ("a100-40bg", "a100-40gb"),
        ("NVIDIA A100-SXM4-80GB", "a100-80gb"),
        ("Tesla T4", "t4-16gb"),
        ("4090", "rtx-4090-24gb"),
        ("h200", "h200-141gb"),
    ],
)
def test_an_unknown_id_is_refused_with_the_nearest_known_ones(wanted: str, first: str) -> None:
    with pytest.raises(UnknownGpuError) as caught:
        CATALOG.get(wanted)
    assert caught.value.gpu_id == wanted
    assert caught.value.suggestions[0] == first
    assert str(caught.value).startswith(f'unknown GPU "{wanted}": ')
    assert str(caught.value).endswith(f"did you mean {', '.join(caught.value.suggestions)}?")


def test_five_ids_are_suggested_at_most() -> None:
    with pytest.raises(UnknownGpuError) as caught:
        CATALOG.get("gb")
    assert len(caught.value.suggestions) == 5


def test_nonsense_is_refused_without_a_suggestion() -> None:
    with pytest.raises(UnknownGpuError) as caught:
        CATALOG.get("zzzzzz")
    assert caught.value.suggestions == ()
    assert str(caught.value) == 'unknown GPU "zzzzzz": expected an id of the catalog; see the catalog for all'


def small_catalog() -> dict[str, Any]:
    """A catalog with one card and one profile, as plain JSON values."""
    values: dict[str, Any] = json.loads(write_catalog(CATALOG))
    card = next(gpu for gpu in values["gpus"] if gpu["id"] == "a100-40gb")
    card["mig_profiles"] = card["mig_profiles"][:1]
    return {"format": 1, "sources": values["sources"], "gpus": [card]}


Defect = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("defect", "path", "words"),
    [
        (lambda c: c.update(gpu=[]), "gpu", 'unknown key "gpu": did you mean "gpus"?'),
        (lambda c: c.update(format=2), "format", "2 is not a known format"),
        (lambda c: c.pop("sources"), "", 'the key "sources" is missing'),
        (lambda c: c["gpus"].append(c["gpus"][0]), "gpus", '"a100-40gb" is given twice'),
        (lambda c: c["gpus"][0].update(id="A100"), "gpus[0].id", '"A100" is not an id'),
        (lambda c: c["gpus"][0].update(marketing=[]), "gpus[0].marketing", "at least one name"),
        (lambda c: c["gpus"][0].update(memory=1), "gpus[0].memory", 'unknown key "memory"'),
        (lambda c: c["gpus"][0].update(compute_capability=8.0), "gpus[0].compute_capability", "not a text"),
        (lambda c: c["gpus"][0].update(compute_capability="8"), "gpus[0].compute_capability", "such as"),
        (lambda c: c["gpus"][0]["memory_mib"].update(value="1"), "gpus[0].memory_mib.value", "whole number"),
        (lambda c: c["gpus"][0]["memory_mib"].update(value=True), "gpus[0].memory_mib.value", "whole number"),
        (lambda c: c["gpus"][0]["memory_mib"].update(value=None), "gpus[0].memory_mib", "belong to a value"),
        (
            lambda c: c["gpus"][0]["memory_mib"].update(sources=[]),
            "gpus[0].memory_mib",
            "at least one source",
        ),
        (
            lambda c: c["gpus"][0]["memory_mib"].update(sources=["NOBODY"]),
            "gpus[0].memory_mib.sources[0]",
            '"NOBODY" is not declared',
        ),
        (
            lambda c: c["gpus"][0]["memory_mib"].update(confidence="sure"),
            "gpus[0].memory_mib.confidence",
            "one of two_sources, one_source, inferred",
        ),
        (
            lambda c: c["gpus"][0]["mig_profiles"][0]["placements"]["value"].update(starts=[8]),
            "gpus[0].mig_profiles[0].placements",
            "beyond the card's 8 memory slices",
        ),
        (
            lambda c: c["gpus"][0]["mig_profiles"][0]["placements"]["value"].update(starts=[1, 0]),
            "gpus[0].mig_profiles[0].placements.value.starts",
            "must ascend",
        ),
        (lambda c: c.update(gpus={}), "gpus", "{} is not a list"),
        (lambda c: c.update(sources=[]), "sources", "[] is not an object"),
        (lambda c: c.update(about={"rule": 1}), "about.rule", "1 is not a text"),
        (lambda c: c["gpus"][0].update(id="ü"), "gpus[0].id", '"ü" is not an id'),
        (
            lambda c: c["gpus"][0].update(architecture=["x" * 80]),
            "gpus[0].architecture",
            "xxx... is not a text",
        ),
        (lambda c: c["gpus"][0].update(architecture="  "), "gpus[0].architecture", "not a text"),
        (lambda c: c["gpus"][0].update(architecture=1), "gpus[0].architecture", "1 is not a text"),
        (
            lambda c: c["gpus"][0].update(mig_mode_persists_reboot=0),
            "gpus[0].mig_mode_persists_reboot",
            "true or",
        ),
        (lambda c: c["gpus"][0]["memory_mib"].update(confidence=None), "gpus[0].memory_mib", "a confidence"),
        (
            lambda c: c["gpus"][0]["memory_mib"].update(value=None, confidence=None),
            "gpus[0].memory_mib",
            "belong to a value",
        ),
        (
            lambda c: c["gpus"][0]["memory_mib"].update(value=None, sources=[]),
            "gpus[0].memory_mib",
            "belong to a value",
        ),
        (lambda c: c["gpus"][0]["memory_mib"].update(values=1), "gpus[0].memory_mib.values", 'mean "value"?'),
        (lambda c: c["gpus"][0].update(zzzzzz=1), "gpus[0].zzzzzz", "known keys: id, product_name"),
        (
            lambda c: c["gpus"][0]["pci"][0].update(device_id="20B0"),
            "gpus[0].pci[0].device_id",
            "PCI device id",
        ),
        (lambda c: c["gpus"][0]["pci"][0].update(confidence=1), "gpus[0].pci[0].confidence", "1 is not a"),
        (
            lambda c: c["gpus"][0]["mig_profiles"][0]["memory_gib"].update(value=0),
            "gpus[0].mig_profiles[0].memory_gib.value",
            "0 is not a number above 0",
        ),
        (
            lambda c: c["gpus"][0]["mig_profiles"][0]["memory_gib"].update(value=True),
            "gpus[0].mig_profiles[0].memory_gib.value",
            "true is not a number above 0",
        ),
        (
            lambda c: c["gpus"][0]["mig_profiles"][0]["placements"]["value"].update(starts=[0, 0]),
            "gpus[0].mig_profiles[0].placements.value.starts",
            "must ascend",
        ),
        (
            lambda c: c["gpus"][0]["mig_profiles"].append(c["gpus"][0]["mig_profiles"][0]),
            "gpus[0].mig_profiles",
            "is given twice",
        ),
        (
            lambda c: c["gpus"][0]["mig_profiles"][0].update(memory_other_readings=[{"source": "a"}]),
            "gpus[0].mig_profiles[0].memory_other_readings[0]",
            'either "gib" or "mib"',
        ),
        (
            lambda c: c["gpus"][0]["mig_profiles"][0].update(
                memory_other_readings=[{"source": "a", "gib": 1, "mib": 1}]
            ),
            "gpus[0].mig_profiles[0].memory_other_readings[0]",
            'either "gib" or "mib"',
        ),
    ],
)
def test_a_defect_is_reported_with_its_place(defect: Defect, path: str, words: str) -> None:
    values = small_catalog()
    defect(values)
    with pytest.raises(CatalogError) as caught:
        read_catalog(json.dumps(values))
    assert any(problem.path == path and words in problem.message for problem in caught.value.problems)


def test_all_defects_are_reported_at_once() -> None:
    values = small_catalog()
    values["gpus"][0]["architecture"] = ""
    values["gpus"][0]["memory_mib"]["value"] = -1
    with pytest.raises(CatalogError) as caught:
        read_catalog(json.dumps(values))
    assert [problem.path for problem in caught.value.problems] == [
        "gpus[0].architecture",
        "gpus[0].memory_mib.value",
    ]


@pytest.mark.parametrize("text", ["", "{", '{"format": 1, "format": 1}', "[" * 100_000])
def test_what_is_not_json_is_refused_as_such(text: str) -> None:
    with pytest.raises(CatalogError, match="this is not JSON"):
        read_catalog(text)


def test_a_catalog_laid_over_another_replaces_and_adds_cards() -> None:
    values = small_catalog()
    values["gpus"][0]["memory_mib"]["value"] = 40536
    values["gpus"].append({**values["gpus"][0], "id": "our-card"})
    merged = CATALOG.overlaid(read_catalog(json.dumps(values)))
    assert merged.get("a100-40gb").memory_mib.value == 40536
    assert merged.ids == (*CATALOG.ids, "our-card")


def test_an_overlay_may_not_give_a_source_key_another_meaning() -> None:
    values = small_catalog()
    values["sources"]["TI_HW"] = "something else"
    with pytest.raises(CatalogError, match=r"sources\.TI_HW"):
        CATALOG.overlaid(read_catalog(json.dumps(values)))


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c["gpus"][0]["mig_profiles"][0]["memory_gib"].update(value=0.5),
        lambda c: c["gpus"][0]["mig_profiles"][0].update(memory_other_readings=[{"source": "a", "mib": 0}]),
        lambda c: c["gpus"][0]["mig_profiles"][0]["placements"]["value"].update(starts=[], size=8),
        lambda c: c["gpus"][0]["mig_profiles"][0]["placements"]["value"].update(starts=[0, 7], size=1),
        lambda c: c["gpus"][0].update(memory_slices=None),
        lambda c: c["gpus"][0].update(sm_in_mig_7g=0, min_driver=None),
        lambda c: c.update(about={"rule": "a word"}),
    ],
)
def test_what_a_catalog_may_say(change: Change) -> None:
    values = small_catalog()
    change(values)
    assert read_catalog(json.dumps(values)).ids == ("a100-40gb",)


def test_a_profile_may_end_where_the_card_does_and_no_later() -> None:
    values = small_catalog()
    values["gpus"][0]["mig_profiles"][0]["placements"]["value"].update(starts=[0, 7], size=2)
    with pytest.raises(CatalogError, match="beyond the card's 8 memory slices"):
        read_catalog(json.dumps(values))


def test_one_defect_is_one_problem() -> None:
    values = small_catalog()
    values["gpus"][0]["mig_profiles"][0]["placements"]["value"].update(starts=[8], size="1")
    with pytest.raises(CatalogError) as caught:
        read_catalog(json.dumps(values))
    assert [problem.path for problem in caught.value.problems] == [
        "gpus[0].mig_profiles[0].placements.value.size"
    ]


def test_about_and_sources_of_both_catalogs_are_kept() -> None:
    values = small_catalog()
    values["about"] = {"ours": "a rule"}
    values["sources"]["OURS"] = "a source"
    merged = CATALOG.overlaid(read_catalog(json.dumps(values)))
    assert dict(merged.about) == {**CATALOG.about, "ours": "a rule"}
    assert dict(merged.sources) == {**CATALOG.sources, "OURS": "a source"}


def test_a_catalog_is_on_one_line_up_to_110_characters() -> None:
    frame = len(write_catalog(Catalog((), {"A": ""}))) - 1
    for width, lines in ((109, 1), (110, 1), (111, 5)):
        text = write_catalog(Catalog((), {"A": "x" * (width - frame)}))
        assert len(text.splitlines()) == lines, width


def test_text_is_written_as_it_is_read() -> None:
    assert '"Müller"' in write_catalog(Catalog((), {"A": "Müller"}))
    assert '"about": {"ö": "ü"}' in write_catalog(Catalog((), {}, {"ö": "ü"})).replace("\\u00f6", "ö")


def test_a_reading_keeps_the_unit_that_it_was_printed_in() -> None:
    values = small_catalog()
    readings = [{"source": "a", "gib": 4.75}, {"source": "b", "mib": 4864}]
    values["gpus"][0]["mig_profiles"][0].update(memory_other_readings=readings, notes="a note")
    written = json.loads(write_catalog(read_catalog(json.dumps(values))))["gpus"][0]["mig_profiles"][0]
    assert (written["memory_other_readings"], written["notes"]) == (readings, "a note")


@pytest.mark.parametrize("note", [None, "a note"])
def test_what_is_empty_is_left_out_of_the_file(note: str | None) -> None:
    values = small_catalog()
    card = values["gpus"][0]
    for place in (card["placement_order"], card["memory_mib"]):
        place.pop("note", None)
        if note is not None:
            place["note"] = note
    written = json.loads(write_catalog(read_catalog(json.dumps(values))))["gpus"][0]
    assert written["placement_order"].get("note") == written["memory_mib"].get("note") == note
    assert ("note" in written["placement_order"]) is ("note" in written["memory_mib"]) is (note is not None)


@pytest.mark.parametrize(
    ("text", "some"), [("4", False), ("x", False), ("xm", True), ("", False), ("nvidia", False)]
)
def test_two_letters_of_a_name_are_enough_for_a_suggestion(text: str, *, some: bool) -> None:
    assert bool(CATALOG.suggest(text)) is some


def test_the_figures_of_a_card_and_a_profile_have_the_names_of_the_file() -> None:
    model = CATALOG.get("a100-40gb")
    assert [name for name, _ in model.figures] == ["product_name", "memory_mib", "sm_total"]
    assert [name for name, _ in model.mig_profiles[0].figures] == [
        "memory_gib",
        "memory_mib",
        "sms",
        "max_instances",
        "placements",
        "engines",
    ]


def test_a_problem_is_told_with_its_place_where_it_has_one() -> None:
    assert str(CatalogProblem("gpus[0].id", "wrong")) == "gpus[0].id: wrong"
    assert str(CatalogProblem("", "wrong")) == "wrong"


@pytest.mark.parametrize(("note", "words"), [(None, '"a": no source'), ("why", '"a" (why): no source')])
def test_a_missing_figure_is_told_with_its_note(note: str | None, words: str) -> None:
    assert words in str(UnknownFigureError("a", "memory_mib", note))


def test_the_catalog_of_the_package_is_equal_to_the_one_in_its_file() -> None:
    text = resources.files("labs.hardware").joinpath("catalog.json").read_text(encoding="utf-8")
    read = read_catalog(text)
    assert read == CATALOG
    assert Catalog(read.models[:1], read.sources, read.about) != CATALOG
    assert CATALOG.__eq__("a100-40gb") is NotImplemented
    with pytest.raises(AttributeError):
        CATALOG.nonsense  # type: ignore[attr-defined]  # noqa: B018
