"""The samples of check labs: read without loss, said in every language, and each comes to what its data claims."""

from __future__ import annotations

import contextlib

import pytest

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.own.problem import ProblemsError
from labs.library import LANGUAGES, builtin_library
from labs.teaching.check_lab.checking import SAFE, TEXT_LIMIT, Checking, Situation
from labs.teaching.check_lab.sample import CheckSample, in_order, read_check_sample

LIBRARY = builtin_library()
SAMPLES = in_order(LIBRARY.checks.values())
CHECKING = Checking(LIBRARY.catalog)
each = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.id)
WHOLE = "format: 1\nid: a\nplace: 1\nnode: t4-x1\ntext: |\n  version: v1\n"


def situation(sample: CheckSample, text: str | None = None) -> Situation:
    return Situation(sample.text if text is None else text, sample.node, sample.deployer)


def problems(text: str) -> list[str]:
    with pytest.raises(ProblemsError) as caught:
        read_check_sample(text)
    return [problem.key for problem in caught.value.problems]


def test_there_are_samples_and_one_has_nothing_wrong() -> None:
    assert len(SAMPLES) >= 8
    assert [sample.place for sample in SAMPLES] == sorted({sample.place for sample in SAMPLES})
    assert any(not sample.expect and not sample.refused for sample in SAMPLES)


@each
def test_a_sample_comes_to_what_it_claims(sample: CheckSample) -> None:
    found = CHECKING.of(situation(sample))
    assert {one.code for one in found.findings} == set(sample.expect)
    assert any(one.loads is False for one in found.source.documents) == sample.refused


@each
def test_a_sample_is_for_a_node_that_there_is_and_fits_beside_its_answer(sample: CheckSample) -> None:
    assert sample.node in SAMPLE_NODES
    assert sample.text.count("\n") <= 30


@each
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_has_its_words(sample: CheckSample, language: str) -> None:
    messages = LIBRARY.messages[language]
    assert messages.text(f"check-sample.{sample.id}.name")
    assert messages.text(f"check-sample.{sample.id}.story")


@each
def test_its_safe_fixes_leave_no_finding_that_has_one(sample: CheckSample) -> None:
    mended = CHECKING.mended(situation(sample), SAFE)
    left = CHECKING.of(situation(sample, mended)).findings
    assert [one.code for one in left if one.fix is not None and one.fix.safe] == []


def test_a_key_that_no_finding_has_mends_nothing() -> None:
    sample = SAMPLES[0]
    assert CHECKING.mended(situation(sample), "GL102@0-1") == sample.text


def test_a_text_longer_than_a_page_takes_is_refused() -> None:
    with pytest.raises(ProblemsError) as caught:
        CHECKING.of(Situation("#" * (TEXT_LIMIT + 1), "t4-x1"))
    assert [problem.key for problem in caught.value.problems] == ["check-too-long"]


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}' if n else '*a'] * 10)}]\n" for n in range(6)),
        "[" * 5_000,
    ],
    ids=["aliases", "depth"],
)
def test_a_text_that_would_take_long_is_answered_soon(text: str) -> None:
    found: list[str] = []
    with contextlib.suppress(ProblemsError):
        found += [one.code for one in CHECKING.of(Situation(text, "t4-x1")).findings]
    assert len(found) < 1_000


def test_mending_a_long_text_ends_soon_though_not_all_is_mended() -> None:
    repeated = Situation("version: v1\n" * (TEXT_LIMIT // 12), "t4-x1")
    once = Situation("version: v1\n" * 3, "t4-x1")
    assert CHECKING.mended(once, SAFE) == "version: v1\n"
    assert len(CHECKING.mended(repeated, SAFE)) < len(repeated.text)


def test_a_sample_is_read() -> None:
    assert read_check_sample(WHOLE) == CheckSample("a", 1, "version: v1\n", "t4-x1")


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("", ["missing-key"]),
        (WHOLE.replace("format: 1", "format: 2"), ["unknown-format"]),
        (WHOLE.replace("place: 1\n", ""), ["missing-key"]),
        (WHOLE + "deployer: me\n", ["not-one-of"]),
        (WHOLE + "expects: [GL101]\n", ["unknown-key-near"]),
        (WHOLE + "expect: GL101\n", ["wrong-type"]),
    ],
)
def test_what_is_wrong_with_a_sample_is_told(text: str, keys: list[str]) -> None:
    assert problems(text) == keys


def test_an_unknown_key_of_a_sample_names_those_allowed() -> None:
    with pytest.raises(ProblemsError) as error:
        read_check_sample(WHOLE + "quiz: 1\n")
    allowed_keys = "format, id, place, text, node, deployer, expect, refused"
    assert [problem.values["allowed"] for problem in error.value.problems] == [allowed_keys]
