"""A lab as a link: what a reader left comes back to the letter, and what is no such link is refused with a reason."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.library import LANGUAGES, builtin_library
from labs.teaching.lab.links import FRAGMENT_LIMIT, TEXT_LIMIT, LinkError, LinkProblem
from labs.teaching.scenario_lab.controls import preset_text, with_change
from labs.teaching.scenario_lab.lab import ControlKind, Lab
from labs.teaching.scenario_lab.share import link_fragment, text_of_link

LABS = tuple(builtin_library().labs.values())
LAB = builtin_library().lab("slots-and-memory")
HEAD = f"lab={LAB.id}&v=1"
FENCE = Lab("scenario-0123abcd", "", (), ())  # a lab that is only a text in a page


def packed(data: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).rstrip(b"=").decode()


def refusal(fragment: str, lab: Lab = LAB) -> LinkProblem:
    with pytest.raises(LinkError) as found:
        text_of_link(lab, fragment)
    return found.value.problem


def moved() -> Iterator[tuple[Lab, str]]:
    """Every situation of every lab, and each of its controls at an end of its bounds."""
    for lab in LABS:
        for preset in lab.presets:
            text = preset_text(lab, preset.id)
            yield lab, text
            for control in lab.controls:
                value = control.options[0] if control.kind is ControlKind.CHOICE else str(control.maximum)
                yield (
                    lab,
                    with_change(
                        lab, text, control.id, False if control.kind is ControlKind.SWITCH else value
                    ),
                )


# There and back


def test_what_a_link_says_can_be_read() -> None:
    assert link_fragment(LAB, LAB.scenario) == HEAD
    assert link_fragment(LAB, with_change(LAB, LAB.scenario, "big", "6")) == f"{HEAD}&set.big=6"
    off = with_change(LAB, LAB.scenario, "failRequestsGreaterThanOne", False)
    assert link_fragment(LAB, off) == f"{HEAD}&set.failRequestsGreaterThanOne=false"
    two = with_change(LAB, preset_text(LAB, "two"), "replicas", "4")
    assert link_fragment(LAB, two) == f"{HEAD}&preset=two&set.replicas=4"


def test_whatever_controls_make_comes_back_without_its_text() -> None:
    for lab, text in moved():
        fragment = link_fragment(lab, text)
        assert "text=" not in fragment
        assert text_of_link(lab, fragment) == text


def test_any_other_edit_is_the_text_itself() -> None:
    edited = LAB.scenario.replace("memory: 38GiB", "memory: 6.5GiB  # 공유と共有")
    fragment = link_fragment(LAB, edited)
    assert fragment.startswith(f"{HEAD}&text=")
    assert text_of_link(LAB, fragment) == edited


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300))
def test_any_text_comes_back(text: str) -> None:
    for lab in (LAB, FENCE):
        assert text_of_link(lab, link_fragment(lab, text)) == text


def test_a_link_needs_no_escapes() -> None:
    fragments = [link_fragment(lab, text) for lab, text in moved()]
    fragments.append(link_fragment(LAB, LAB.scenario + "# ~/?あ"))
    assert [found for found in fragments if not re.fullmatch(r"[A-Za-z0-9._=&-]+", found)] == []


# Refusals


@pytest.mark.parametrize(
    "fragment",
    [
        "",
        "lab",
        f"lab={LAB.id}",
        f"lab={LAB.id}&v=0",
        f"lab={LAB.id}&v=one",
        f"lab={LAB.id}&v=01",
        f"{HEAD}&v=1",
        f"{HEAD}&",
        f"{HEAD}&set.big",
        f"{HEAD}&set.big=",
        f"{HEAD}&set.big=6&set.big=7",
        f"{HEAD}&set.big=81",
        f"{HEAD}&set.big=6.5",
        f"{HEAD}&set.big=1e99",
        f"{HEAD}&set.big=nan",
        f"{HEAD}&set.big=<script>",
        f"{HEAD}&set.failRequestsGreaterThanOne=yes",
        f"{HEAD}&set.model=no-such-card",
        f"{HEAD}&set.nothing=1",
        f"{HEAD}&preset=nothing",
        f"{HEAD}&other=1",
        f"{HEAD}&set.big=6&text={packed(b'a: 1')}",
        f"{HEAD}&text=",
        f"{HEAD}&text=abc",
        f"{HEAD}&text=a",
        f"{HEAD}&text={packed(b'a: 1')[:-2]}",
        f"{HEAD}&text={packed(b'a: 1')}AAAA",
        f"{HEAD}&text={packed(bytes([0xFF, 0xFE]))}",
        f"{HEAD}&text=%3Cscript%3E",
    ],
)
def test_what_is_no_link_is_broken(fragment: str) -> None:
    assert refusal(fragment) is LinkProblem.BROKEN


def test_a_lab_that_is_only_a_text_has_no_settings() -> None:
    assert refusal(f"lab={FENCE.id}&v=1", FENCE) is LinkProblem.BROKEN


def test_a_newer_link_is_told_from_a_broken_one() -> None:
    assert refusal(f"lab={LAB.id}&v=2&text=whatever") is LinkProblem.NEWER
    assert refusal(f"lab={LAB.id}&v=999999999") is LinkProblem.NEWER
    assert refusal(f"lab={LAB.id}&v=" + "9" * 5_000) is LinkProblem.BROKEN


def test_a_link_of_another_lab_is_told() -> None:
    assert refusal("lab=somewhere-else&v=1&set.big=6") is LinkProblem.OTHER_LAB


def test_a_long_link_is_not_even_read() -> None:
    assert refusal(f"{HEAD}&text=" + "A" * FRAGMENT_LIMIT) is LinkProblem.TOO_LONG


def test_a_bomb_is_unpacked_no_further_than_its_limit() -> None:
    bomb = packed(b"a" * 4_000_000)
    assert len(bomb) < FRAGMENT_LIMIT
    assert refusal(f"{HEAD}&text={bomb}") is LinkProblem.TOO_LONG
    assert len(text_of_link(LAB, f"{HEAD}&text={packed(b'a' * TEXT_LIMIT)}")) == TEXT_LIMIT


@given(st.text(max_size=200))
def test_no_fragment_does_more_than_refuse(text: str) -> None:
    for fragment in (text, f"{HEAD}&{text}", f"{HEAD}&text={text}", f"{HEAD}&set.{text}"):
        try:
            assert isinstance(text_of_link(LAB, fragment), str)
        except LinkError:
            continue


def test_what_does_not_fit_is_not_made_into_a_link() -> None:
    noise = "".join(f"{(index * index * 2654435761) % 1000003:x}" for index in range(4000))
    for text in (noise, "a" * (TEXT_LIMIT + 1), "\ud800"):
        with pytest.raises(LinkError) as found:
            link_fragment(LAB, text)
        assert found.value.problem is LinkProblem.TOO_MUCH


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_its_words(language: str) -> None:
    messages = builtin_library().messages[language]
    assert all(messages.text(f"share.{problem}") for problem in (*LinkProblem, "opened"))
