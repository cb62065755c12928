"""The page on the scenario's format: it has every key that the readers know, and its example does what it claims."""

from __future__ import annotations

import re

import pytest

from labs.library import LANGUAGES
from labs.simulation.scenario.fault_reader import OF_A_MIG_DEVICE, OF_A_PODS_PROCESS
from labs.simulation.scenario.job_reader import BUSY_KEYS
from labs.simulation.scenario.job_reader import KEYS as JOB
from labs.simulation.scenario.memory_reader import STEP, TAKING
from labs.simulation.scenario.mig_config_reader import KEYS as MIG_CONFIG
from labs.simulation.scenario.reader import GPUS, NODE, TOP, WORKLOAD
from labs.simulation.scenario.rollout.event_reader import KEYS as EVENT
from labs.simulation.scenario.rollout.reader import BEFORE, BEHAVIOUR
from labs.simulation.scenario.rollout.reader import KEYS as ROLLOUT
from labs.simulation.scenario.rollout.rollout import Before, PodBehaviour
from labs.simulation.scenario.scenario import Detail, FaultKind, JobKind, OnOom
from tests.unit.scenarios import outcome
from tools.paths import ROOT

KEYS = {
    *TOP,
    *NODE,
    *GPUS,
    *WORKLOAD,
    *BUSY_KEYS,
    *TAKING,
    *STEP,
    *OF_A_PODS_PROCESS,
    *OF_A_MIG_DEVICE,
    *MIG_CONFIG,
    *ROLLOUT,
    *EVENT,
    *BEFORE,
    *BEHAVIOUR,
}.union(*JOB.values())
KINDS = (Detail, FaultKind, JobKind, OnOom, Before, PodBehaviour)
WORDS = {str(word) for words in KINDS for word in words} - {PodBehaviour.HEALTHY}


def page(language: str) -> str:
    return (ROOT / "docs" / language / "labs" / "scenario.md").read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_names_every_key_and_word_of_the_format(language: str) -> None:
    prose = re.sub(r"```.*?```", "", page(language), flags=re.DOTALL)
    named = set(re.findall(r"[A-Za-z-]+", " ".join(re.findall(r"`([^`]+)`", prose))))
    assert named >= KEYS | WORDS


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_example_does_what_it_claims(language: str) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", page(language), flags=re.DOTALL)
    assert outcome(example).differences == ()
