"""Node pools as the terminal tells them, whole, in three languages."""

from __future__ import annotations

import pytest

from labs.library import builtin_library
from labs.teaching.form_lab.kind import FormLabs
from labs.teaching.form_lab.may_they import ID, PRESETS
from tests.golden.report.test_report_golden import golden
from tests.unit.report.stories import LANGUAGES, messages


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_pools(preset: str, language: str) -> None:
    labs = FormLabs(builtin_library())
    lab = labs.lab(ID)
    found = lab.text(labs.values(lab, preset)[0], messages(language))
    assert found == golden(f"may-they-{preset}.{language}.txt", found)
