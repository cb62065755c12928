"""A check lab as a link: what a reader left comes back to the letter, and what is no such link is refused with a reason."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin.flags import Deployer
from labs.library import LANGUAGES, builtin_library
from labs.teaching.check_lab.checking import Situation
from labs.teaching.check_lab.link import check_link, situation_of_link
from labs.teaching.lab.links import FRAGMENT_LIMIT, LinkError, LinkProblem, packed

SAMPLES = builtin_library().checks
LAB = "check-fine"
HEAD = f"lab={LAB}&v=1"


def refusal(fragment: str) -> LinkProblem:
    with pytest.raises(LinkError) as caught:
        situation_of_link(LAB, fragment, SAMPLES)
    return caught.value.problem


@given(
    st.text(max_size=300),
    st.sampled_from(list(SAMPLE_NODES)),
    st.sampled_from([None, *Deployer]),
)
def test_every_situation_comes_back(text: str, node: str, deployer: Deployer | None) -> None:
    situation = Situation(text, node, deployer)
    assert situation_of_link(LAB, check_link(LAB, situation, SAMPLES), SAMPLES) == situation


def test_a_sample_is_named_and_not_packed() -> None:
    situation = Situation(SAMPLES["replicas-one"].text, "t4-x1", Deployer.HELM)
    assert check_link(LAB, situation, SAMPLES) == f"{HEAD}&node=t4-x1&deployer=helm&sample=replicas-one"


def test_a_text_too_long_for_a_link_is_said_so() -> None:
    text = "".join(random.Random(1).choices("abcdefghijklmnop", k=20_000))
    with pytest.raises(LinkError) as caught:
        check_link(LAB, Situation(text, "t4-x1"), SAMPLES)
    assert caught.value.problem is LinkProblem.TOO_MUCH


@pytest.mark.parametrize(
    ("fragment", "problem"),
    [
        ("", LinkProblem.BROKEN),
        (f"lab={LAB}&v=2&node=t4-x1&sample=fine", LinkProblem.NEWER),
        ("lab=check-other&v=1&node=t4-x1&sample=fine", LinkProblem.OTHER_LAB),
        (f"{HEAD}&node=t4-x1", LinkProblem.BROKEN),
        (f"{HEAD}&sample=fine", LinkProblem.BROKEN),
        (f"{HEAD}&node=none&sample=fine", LinkProblem.BROKEN),
        (f"{HEAD}&node=t4-x1&sample=none", LinkProblem.BROKEN),
        (f"{HEAD}&node=t4-x1&deployer=me&sample=fine", LinkProblem.BROKEN),
        (f"{HEAD}&node=t4-x1&sample=fine&text={packed(b'a')}", LinkProblem.BROKEN),
        (f"{HEAD}&node=t4-x1&text=AAAA", LinkProblem.BROKEN),
        (f"{HEAD}&node=t4-x1&text={'A' * FRAGMENT_LIMIT}", LinkProblem.TOO_LONG),
        (f"{HEAD}&node=t4-x1&text={packed(b'a' * 200_000)}", LinkProblem.TOO_LONG),
    ],
)
def test_what_is_no_such_link_is_refused(fragment: str, problem: LinkProblem) -> None:
    assert refusal(fragment) is problem


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_its_words(language: str) -> None:
    messages = builtin_library().messages[language]
    assert all(messages.has(f"check-share.{problem}") for problem in LinkProblem)
