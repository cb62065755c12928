"""One workload four ways, and estimates, as the terminal tells them, whole, in three languages."""

from __future__ import annotations

import pytest

from labs.library import builtin_library
from labs.teaching.form_lab.kind import FormLabs
from tests.golden.report.test_report_golden import golden
from tests.unit.report.stories import LANGUAGES, messages

LABS = FormLabs(builtin_library())
CASES = [(lab_id, preset) for lab_id in ("four-ways", "estimate") for preset in LABS.lab(lab_id).presets]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("lab_id", "preset"), CASES)
def test_a_form_lab(lab_id: str, preset: str, language: str) -> None:
    lab = LABS.lab(lab_id)
    found = lab.text(LABS.values(lab, preset)[0], messages(language))
    assert found == golden(f"{lab_id}-{preset}.{language}.txt", found)
