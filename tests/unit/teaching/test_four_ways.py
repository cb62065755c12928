"""The lab *four-ways*: what it says of a single copy, whose MPS client the device plugin leaves half of the card."""

from __future__ import annotations

import re

import pytest

from labs.library import LANGUAGES, builtin_library
from labs.simulation.laws.mechanism import soft_roofline
from labs.simulation.laws.mps import EXPONENT
from labs.simulation.scenario.workloads import builtin_workloads
from labs.teaching.form_lab.kind import FormLabs

LABS = FormLabs(builtin_library())
LAB = LABS.lab("four-ways")
YOLOS = builtin_workloads()["yolos-small-a100-80gb"].job


def told(language: str, **fields: str) -> str:
    """The lab's text in one line."""
    values, faults = LABS.values(LAB, None, fields)
    assert not faults
    return re.sub(r"\s+", " ", LAB.text(values, builtin_library().messages[language]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_copy_under_the_plugins_mps_has_half_of_the_card_and_is_told_so(language: str) -> None:
    one, two = (told(language, copies=copies, mps="plugin") for copies in ("1", "2"))
    note = builtin_library().messages[language].text("four-ways.note.mps-plugin-alone")
    squeezed = note.replace(" ", "")
    assert squeezed in one.replace(" ", "")
    assert squeezed not in two.replace(" ", "")


def test_what_is_predicted_has_its_known_error_beside_it() -> None:
    """One copy under time-slicing is alone; under the plugin's MPS it is not as fast as alone, which is a prediction."""
    times = soft_roofline(YOLOS.demand, 2.0, EXPONENT)
    row = re.search(r"times as long as alone (.*?) (?:requests|busy)", told("en", copies="1", mps="plugin"))
    assert row is not None
    assert row[1].split()[:4] == ["1×", "1×", f"{times:.2f}×", "±9%"]
    memory = re.search(
        r"times as long as alone (.*?) (?:requests|busy)", told("en", copies="1", mps="memory")
    )
    assert memory is not None
    assert memory[1].split()[:3] == ["1×", "1×", "1×"]
