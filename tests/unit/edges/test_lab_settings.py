"""`--set` of every lab and every field: where the mistake is, what it is, what is allowed, what to do; never a traceback."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from labs.library import LANGUAGES, builtin_library
from labs.teaching.form_lab.fields import (
    ENTRY_LIMIT,
    LINES_LIMIT,
    Choice,
    Entry,
    Field,
    Group,
    Lines,
    Measure,
    Plain,
    Slider,
    Switch,
)
from labs.teaching.form_lab.kind import FormLabs
from labs.teaching.form_lab.labs import FORM_LABS
from labs.teaching.form_lab.values import amount_of, bounds_of
from tests.unit.edges.test_cli import Ran, gpulab

Run = Callable[..., Ran]
__all__ = ["gpulab"]  # the fixture
LIBRARY = builtin_library()
LABS = FormLabs(LIBRARY)
BAD = {
    "nan": "nan",
    "infinite": "inf",
    "negative": "-1",
    "huge": "1e999",
    "empty": "",
    "blank": "  ",
    "digits of another script": "\u0663",
    "wide digits": "\uff14",
    "long": "9" * 5_000,
    "longer than a pipe": "x" * 70_000,
    "another type": "[1, 2]",
    "lines": "4\n5",
    "controls": "4\x1b[31m\u202e",
}
NO_FIELD = {"unknown": "no-such-field", "nearly": "{id}x", "empty": "", "blank": " ", "long": "y" * 5_000}


def fields(lab_id: str) -> Iterator[tuple[str, Plain | Group]]:
    """Every field of a lab by its key, of groups those of the first item."""
    for one in LABS.lab(lab_id).fields:
        if isinstance(one, Group):
            yield one.id, one
            yield from ((f"{one.id}.0.{inner.id}", inner) for inner in one.fields)
        else:
            yield one.id, one


EVERY_FIELD = [(lab_id, key, field) for lab_id in FORM_LABS for key, field in fields(lab_id)]


def takes(field: Field, text: str) -> bool:
    """Whether a text is one that the field may hold."""
    match field:
        case Lines():
            return len(text) <= LINES_LIMIT
        case Entry(measure=Measure.NAME):
            return (
                text.strip().isprintable()
                and len(text) <= ENTRY_LIMIT
                and (field.optional or bool(text.strip()))
            )
        case Entry():
            return field.optional and not text.strip()
        case _:
            return False


def allowed(field: Field) -> list[str]:
    """What an error has to say about what the field takes."""
    match field:
        case Slider(minimum=least, maximum=most) | Group(least=least, most=most):
            return [str(least), str(most)]
        case Switch():
            return ["true", "false"]
        case Choice():
            return list(field.options) if len(field.options) > 1 else []  # else they depend on another field
        case Entry():
            return list(bounds_of(field).values())
        case Lines():
            return []  # nothing but its length


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("lab_id", "key", "field"), EVERY_FIELD, ids=[f"{a}-{b}" for a, b, _ in EVERY_FIELD])
def test_a_bad_value_is_told_with_its_place_and_what_is_allowed(
    gpulab: Run, language: str, lab_id: str, key: str, field: Plain | Group
) -> None:
    for name, text in BAD.items():
        setting = f"{key}={text}"
        code, out, err = gpulab("lab", "show", lab_id, "--lang", language, "--set", setting)
        if takes(field, text):
            assert (code, err) == (0, ""), name
            continue
        assert (code, out) == (2, ""), name
        place, _, remedy = err.partition("\n")
        assert place.startswith(f"--set {key}="), name
        assert len(place.removeprefix(f"--set {key}=")) > len(text[:20].strip()), name  # a reason behind it
        assert remedy.strip(), name
        is_text = isinstance(field, Lines) or (isinstance(field, Entry) and field.measure is Measure.NAME)
        if not is_text and (len(text) <= ENTRY_LIMIT or not isinstance(field, Entry)):
            assert all(each in err for each in allowed(field)), (name, err)
        assert len(err) < 2_000, name
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", err), name


@pytest.mark.parametrize("lab_id", FORM_LABS)
def test_all_that_is_wrong_is_told_at_once(gpulab: Run, lab_id: str) -> None:
    wrong = [key for key, field in fields(lab_id) if not takes(field, "nan")]
    settings = [part for key in wrong for part in ("--set", f"{key}=nan")]
    code, _, err = gpulab("lab", "run", lab_id, *settings)
    assert code == 2
    assert [key for key in wrong if f"--set {key}=nan: " not in err] == []


@pytest.mark.parametrize("lab_id", FORM_LABS)
@pytest.mark.parametrize("name", NO_FIELD)
def test_a_field_that_there_is_not_is_told_with_those_that_there_are(
    gpulab: Run, lab_id: str, name: str
) -> None:
    first = next(key for key, _ in fields(lab_id))
    key = NO_FIELD[name].replace("{id}", first)
    code, out, err = gpulab("lab", "run", lab_id, "--set", f"{key}=1")
    assert (code, out) == (2, "")
    assert err.startswith("--set ")
    assert all(known in err for known, _ in fields(lab_id))
    assert (f"Did you mean {first}?" in err) == (name == "nearly")


@pytest.mark.parametrize("lab_id", [*FORM_LABS, *LIBRARY.labs, *LIBRARY.rollouts])
def test_a_setting_without_a_value_is_told_with_one_that_would_do(gpulab: Run, lab_id: str) -> None:
    code, out, err = gpulab("lab", "run", lab_id, "--set", "copies")
    assert (code, out) == (2, "")
    assert err.startswith("--set copies: ")
    if lab_id in FORM_LABS:
        example = re.search(r"--set (\S+=\S+)\.\n", err)
        assert example is not None
        assert gpulab("lab", "show", lab_id, "--set", example[1])[0] == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lab_id", [*LIBRARY.labs, *LIBRARY.rollouts])
@pytest.mark.parametrize("name", BAD)
def test_a_lab_of_a_scenario_says_that_it_has_none_and_what_else_to_do(
    gpulab: Run, language: str, lab_id: str, name: str
) -> None:
    code, out, err = gpulab("lab", "run", lab_id, "--lang", language, "--set", f"replicas={BAD[name]}")
    assert (code, out) == (2, "")
    assert err.startswith("--set replicas=")
    presets = (LIBRARY.rollouts.get(lab_id) or LIBRARY.labs[lab_id]).presets
    assert all(preset.id in err for preset in presets)
    assert f"gpulab lab show {lab_id}" in err
    assert re.search(r"(rollout|scenario)\.yaml", err)
    assert len(err) < 1_000
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", err)


@pytest.mark.parametrize(
    ("lab_id", "arguments", "said"),
    [
        (
            "four-ways",
            ["copies=nan"],
            "--set copies=nan: nan is no whole number.\n  Write it in digits, such as 4. Allowed: 1 to 8.",
        ),
        ("four-ways", ["copies=-1"], "--set copies=-1: -1 is out of bounds.\n  Give a value from 1 to 8."),
        ("four-ways", ["solo=nan"], "--set solo=nan: nan is no duration."),  # hidden beside a named workload
        ("four-ways", ["card=t4"], "Did you mean t4-16gb? Choose one of: measured, a100-80gb,"),
        ("may-they", ["groups.0.memory=1KiB"], "1KiB is out of bounds.\n  Give a value from 1MiB to 1TiB."),
        (
            "may-they",
            ["groups.5.name=x"],
            "groups is 3, and items are counted from 0.\n  Set groups=6 too. At most 6",
        ),
        ("may-they", ["groups.6.name=x"], "The last one is groups.5."),
        ("estimate", ["measured.0.time=0s"], "0s is out of bounds.\n  Give a value from 1us to 24h."),
    ],
)
def test_words(gpulab: Run, lab_id: str, arguments: list[str], said: str) -> None:
    code, _, err = gpulab("lab", "run", lab_id, *(part for each in arguments for part in ("--set", each)))
    assert (code, said in err) == (2, True), err


def test_a_number_written_with_zeros_in_front_is_that_number(gpulab: Run) -> None:
    assert gpulab("lab", "show", "four-ways", "--set", "copies=04") == gpulab("lab", "show", "four-ways")


def test_every_bound_is_written_as_one_would_type_it() -> None:
    for lab_id, key, field in EVERY_FIELD:
        if isinstance(field, Entry) and field.measure is not Measure.NAME:
            told = bounds_of(field)
            typed = [amount_of(field.measure, told[name]) for name in ("least", "most")]
            assert typed == [field.least, field.most], (lab_id, key, told)
            assert isinstance(typed[0], Fraction)
