"""Controls read and rewrite single scalars of a scenario's text, and nothing else of it."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.library import builtin_library
from labs.teaching.scenario_lab.controls import UnknownControlError, control_values, preset_text, with_change
from labs.teaching.scenario_lab.lab import Control, ControlKind, Lab, Preset
from tests.random_sample import examples
from tests.unit.scenarios import STORY

LAB = builtin_library().lab("slots-and-memory")
SHOWN = {
    "model": "a100-40gb",
    "cards": "4",
    "replicas": "5",
    "failRequestsGreaterThanOne": "true",
    "big": "38",
    "others": "6",
    "pods": "20",
    "request": "1",
}
CHANGES: list[tuple[str, str | bool, str]] = [
    ("model", "t4-16gb", "    gpus: {model: t4-16gb, count: 4}"),
    ("cards", "8", "    gpus: {model: a100-40gb, count: 8}"),
    ("replicas", "7", "              replicas: 7"),
    ("failRequestsGreaterThanOne", False, "          failRequestsGreaterThanOne: false"),
    ("big", "6", "    memory: 6GiB"),
    ("others", "12", "    memory: 12GiB"),
    ("pods", "31", "    count: 30"),
    ("request", "2", "    request: {nvidia.com/gpu: 2}"),
]


def values(text: str, lab: Lab = LAB) -> dict[str, str]:
    """What the found controls show."""
    return {each.id: each.value for each in control_values(lab, text) if each.is_present}


def lab_with(
    kind: ControlKind, key: str, *, unit: str = "", minimum: int = 0, maximum: int = 1000, offset: int = 0
) -> Lab:
    """A lab with one control `c`, at `key`."""
    control = Control("c", kind, (key,), minimum=minimum, maximum=maximum, unit=unit, offset=offset)
    return Lab("x", "", (control,), ())


def changed_lines(before: str, after: str) -> list[str]:
    return [line[2:] for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[:2] == "+ "]


# The lab's own controls


def test_every_control_of_the_lab_shows_its_place() -> None:
    assert values(STORY) == SHOWN


@pytest.mark.parametrize(("control", "value", "line"), CHANGES)
def test_a_change_rewrites_its_scalar_and_leaves_the_rest(control: str, value: str | bool, line: str) -> None:
    text = with_change(LAB, STORY, control, value)
    (changed,) = changed_lines(STORY, text)
    assert changed == line
    assert values(text) == SHOWN | {control: str(value).lower()}


@pytest.mark.parametrize(("control", "value", "line"), CHANGES)
def test_changing_back_gives_the_same_text_to_the_byte(control: str, value: str | bool, line: str) -> None:
    there = with_change(LAB, STORY, control, value)
    assert with_change(LAB, there, control, SHOWN[control]) == STORY


@settings(max_examples=examples(20))
@given(st.permutations(CHANGES))
def test_the_order_of_changes_does_not_matter(changes: list[tuple[str, str | bool, str]]) -> None:
    text = STORY
    for control, value, _ in changes:
        text = with_change(LAB, text, control, value)
    expected = {control: str(value).lower() for control, value, _ in changes}
    assert values(text) == expected


def test_comments_stay() -> None:
    text = with_change(LAB, with_change(LAB, STORY, "replicas", "9"), "big", "1")
    assert [line.partition("#")[2] for line in text.splitlines()] == [
        line.partition("#")[2] for line in STORY.splitlines()
    ]


@pytest.mark.parametrize(
    ("control", "value", "shown"),
    [
        ("replicas", "0", "1"),
        ("replicas", "-5", "1"),
        ("replicas", "99", "10"),
        ("replicas", "1e9", "10"),
        ("big", "0", "1"),
        ("big", "81", "80"),
        ("big", "7.4", "7"),
        ("pods", "1", "2"),
        ("pods", "1000", "40"),
    ],
)
def test_numbers_are_kept_within_their_bounds(control: str, value: str, shown: str) -> None:
    assert values(with_change(LAB, STORY, control, value))[control] == shown


@pytest.mark.parametrize(
    ("control", "value"),
    [
        ("replicas", ""),
        ("replicas", "many"),
        ("replicas", "nan"),
        ("replicas", "inf"),
        ("replicas", True),
        ("model", "a100"),
        ("model", "a100-40gb}, evil: {"),
        ("failRequestsGreaterThanOne", "yes"),
        ("failRequestsGreaterThanOne", "1"),
    ],
)
def test_what_is_no_value_of_the_control_changes_nothing(control: str, value: str | bool) -> None:
    assert with_change(LAB, STORY, control, value) == STORY


def test_an_unknown_control_or_preset_is_a_mistake() -> None:
    with pytest.raises(UnknownControlError):
        with_change(LAB, STORY, "colour", "red")
    with pytest.raises(UnknownControlError):
        preset_text(LAB, "colour")


@pytest.mark.parametrize(
    ("preset", "shown"),
    [("story", {}), ("small", {"big": "6"}), ("refused", {"replicas": "1"}), ("two", {"request": "2"})],
)
def test_a_preset_is_the_labs_text_with_its_values(preset: str, shown: dict[str, str]) -> None:
    assert values(preset_text(LAB, preset)) == SHOWN | shown


def test_a_preset_may_have_a_text_of_its_own_and_values_over_it() -> None:
    control = Control("c", ControlKind.INTEGER, ("b",), maximum=9)
    own = Preset("own", {}, scenario="a: 1\nb: 2\n")
    lab = Lab("x", "a: 1\n", (control,), (own, Preset("more", {"c": 3}, scenario="a: 1\nb: 2\n")))
    assert values(lab.scenario, lab) == {}
    assert values(preset_text(lab, "own"), lab) == {"c": "2"}
    assert preset_text(lab, "more") == "a: 1\nb: 3\n"


# Other texts


@pytest.mark.parametrize("text", ["", "# nothing", "[", "a: [1", "nodes: 5", "nodes: []", "- x", "\0"])
def test_a_text_without_the_places_shows_nothing_and_stays_as_it_is(text: str) -> None:
    assert values(text) == {}
    for control, value, _ in CHANGES:
        assert with_change(LAB, text, control, value) == text


@pytest.mark.parametrize("config", ["config: 5", "config: {a: b}", "config: |\n      [", "config: ''"])
def test_a_config_that_is_no_text_with_the_place_hides_its_controls(config: str) -> None:
    text = f"nodes:\n  - name: n\n    gpus: {{model: t4-16gb, count: 1}}\n    {config}\n"
    assert values(text) == {"model": "t4-16gb", "cards": "1"}


@pytest.mark.parametrize(
    "config",
    [
        "config: |\n      sharing:\n        timeSlicing: {resources: [{replicas: 3}]}\n",
        "config: |-\n        sharing: {timeSlicing: {resources: [{replicas: 3}]}}",
        "config: |+\n      # first\n\n      sharing: {timeSlicing: {resources: [{replicas: 3}]}}\n\n",
        "config: >\n      sharing: {timeSlicing: {resources: [{replicas: 3}]}}\n",
        "config: 'sharing: {timeSlicing: {resources: [{replicas: 3}]}}'",
        'config: "sharing:\\n  timeSlicing: {resources: [{replicas: 3}]}"',
        "config: 'version: ''v1''\n\n      sharing: {timeSlicing: {resources: [{replicas: 3}]}}'",
    ],
)
def test_the_place_inside_the_config_is_found_in_every_style_of_block(config: str) -> None:
    text = f"nodes:\n  - name: 日本\n    {config}\n"
    assert values(text)["replicas"] == "3"
    assert with_change(LAB, text, "replicas", "8") == text.replace("replicas: 3", "replicas: 8")


def test_windows_line_ends_stay() -> None:
    text = STORY.replace("\n", "\r\n")
    assert values(text) == SHOWN
    assert with_change(LAB, text, "replicas", "6") == text.replace("replicas: 5", "replicas: 6")


@pytest.mark.parametrize(
    ("scalar", "shown"),
    [
        ("7", "7"),
        ("0x10", "16"),
        ("010", "8"),
        ("1_000", "1000"),
        ("-3", "-3"),
        ("'7'", None),
        ("7.0", None),
        ("true", None),
        ("seven", None),
        ("[7]", None),
        ("", None),
    ],
)
def test_integers(scalar: str, shown: str | None) -> None:
    assert values(f"a: {scalar}", lab_with(ControlKind.INTEGER, "a")).get("c") == shown


@pytest.mark.parametrize(
    ("scalar", "unit", "shown"),
    [
        ("38GiB", "GiB", "38"),
        ("38Gi", "GiB", "38"),
        ("512MiB", "GiB", "0.5"),
        ("2GiB", "MiB", "2048"),
        ("1.5GiB", "GiB", "1.5"),
        ("lots", "GiB", None),
        ("-1GiB", "GiB", None),
    ],
)
def test_quantities(scalar: str, unit: str, shown: str | None) -> None:
    assert values(f"a: {scalar}", lab_with(ControlKind.QUANTITY, "a", unit=unit)).get("c") == shown


@pytest.mark.parametrize(
    ("scalar", "shown"),
    [("2/s", "2"), ("30/m", "0.5"), ("9/h", "0.0025"), ("'4/s'", "4"), ("2", None), ("fast", None)],
)
def test_rates(scalar: str, shown: str | None) -> None:
    assert values(f"a: {scalar}", lab_with(ControlKind.RATE, "a")).get("c") == shown


def test_a_rate_is_written_by_the_second_within_its_bounds() -> None:
    lab = lab_with(ControlKind.RATE, "a", minimum=1, maximum=8)
    assert with_change(lab, "a: 30/m", "c", "3") == "a: 3/s"
    assert with_change(lab, "a: 30/m", "c", "99") == "a: 8/s"
    assert (control_values(lab, "a: 30/m")[0].minimum, control_values(lab, "a: 9/s")[0].maximum) == (0, 9)


@pytest.mark.parametrize(
    ("scalar", "shown"),
    [("true", "true"), ("no", "false"), ("On", "true"), ("'true'", None), ("1", None)],
)
def test_switches(scalar: str, shown: str | None) -> None:
    assert values(f"a: {scalar}", lab_with(ControlKind.SWITCH, "a")).get("c") == shown


def test_a_value_outside_the_bounds_is_shown_and_widens_them() -> None:
    lab = lab_with(ControlKind.QUANTITY, "a", unit="GiB", minimum=2, maximum=10)
    (large,), (small,) = control_values(lab, "a: 99.5GiB"), control_values(lab, "a: 1GiB")
    assert (large.value, large.minimum, large.maximum) == ("99.5", 2, 100)
    assert (small.value, small.minimum, small.maximum) == ("1", 1, 10)


def test_an_offset_stands_between_the_text_and_the_form() -> None:
    lab = lab_with(ControlKind.INTEGER, "a", offset=1, minimum=2, maximum=40)
    assert values("a: 19", lab) == {"c": "20"}
    assert with_change(lab, "a: 19", "c", "2") == "a: 1"


def test_of_equal_keys_the_last_is_the_one() -> None:
    lab = lab_with(ControlKind.INTEGER, "a")
    assert values("a: 1\na: 2\n", lab) == {"c": "2"}
    assert with_change(lab, "a: 1\na: 2\n", "c", "3") == "a: 1\na: 3\n"


@pytest.mark.parametrize("value", ["1", "  0x1", "!!int 1"])
def test_behind_an_alias_the_value_at_its_anchor_is_changed(value: str) -> None:
    lab = lab_with(ControlKind.INTEGER, "b")
    text = with_change(lab, f"a: &x {value}\nb: *x\n", "c", "3")
    assert text == f"a: &x {value[: value.rindex(' ') + 1] if ' ' in value else ''}3\nb: *x\n"
    assert values(text, lab) == {"c": "3"}


def test_a_quoted_value_is_replaced_with_its_quotes() -> None:
    lab = lab_with(ControlKind.QUANTITY, "a", unit="GiB")
    assert with_change(lab, "a: '5GiB'  # note\n", "c", "6") == "a: 6GiB  # note\n"


@given(st.text(max_size=80), st.sampled_from([control for control, *_ in CHANGES]), st.text(max_size=10))
def test_any_text_and_any_value_are_taken(text: str, control: str, value: str) -> None:
    control_values(LAB, text)
    with_change(LAB, text, control, value)
    assert values(with_change(LAB, STORY, control, value)).keys() == SHOWN.keys()
