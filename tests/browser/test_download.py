"""A reader takes a lab's scenario into a terminal: the file, the command, and the same result there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect

from labs.library import builtin_library
from tests.browser.lab_page import (
    LAB,
    ROOTS,
    LabInPage,
    OpenTab,
    Show,
    answer_of_python,
    every_language,
    one_language,
)
from tests.some import some

PLACE = f"labs/{LAB}/"
COMMAND = f"gpulab run {LAB}.yaml"


@one_language
def test_the_file_runs_in_a_terminal_as_its_first_line_says(
    show: Show, site_url: str, language: str, tmp_path: Path
) -> None:
    lab = LabInPage(show(f"{site_url}{ROOTS[language]}{PLACE}"))
    lab.press("big", "ArrowLeft", times=32)
    small = answer_of_python(language, changes=[{"control": "big", "value": "6"}])
    lab.says(small)
    with lab.page.expect_download() as saving:
        lab.root.locator('[data-action="download"]').click()
    assert saving.value.suggested_filename == f"{LAB}.yaml"
    file = tmp_path / f"{LAB}.yaml"
    saving.value.save_as(file)

    first, _, rest = file.read_text("utf-8").partition("\n")
    assert first.startswith("# ")
    assert first.endswith(COMMAND)
    assert rest == small["text"]
    run = subprocess.run(
        [sys.executable, "-m", "labs.cli", "run", file.name, "--format", "json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(run.stdout)["traceHash"] == small["traceHash"]


def test_the_first_line_is_written_once(show: Show, site_url: str, tmp_path: Path) -> None:
    lab = LabInPage(show(f"{site_url}en/{PLACE}"))
    files = [tmp_path / name for name in ("first.yaml", "again.yaml")]
    for file in files:
        with lab.page.expect_download() as saving:
            lab.root.locator('[data-action="download"]').click()
        saving.value.save_as(file)
        lab.yaml.evaluate("(area, text) => { area.value = text }", file.read_text("utf-8"))
    assert files[0].read_text("utf-8") == files[1].read_text("utf-8")


@every_language
def test_the_command_is_copied(open_tab: OpenTab, site_url: str, language: str) -> None:
    page = open_tab(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{site_url}{ROOTS[language]}{PLACE}")
    lab = LabInPage(page)
    expect(lab.root.locator(".gl-command code")).to_have_text(COMMAND)
    lab.root.locator('[data-action="copy"]').press("Enter")
    expect(lab.region("taken")).to_have_text(builtin_library().messages[language].text("script.copied"))
    assert page.evaluate("navigator.clipboard.readText()") == COMMAND


def test_where_copying_is_not_allowed_the_command_is_selected(page: Page, site_url: str) -> None:
    page.add_init_script("delete Navigator.prototype.clipboard")
    page.goto(f"{site_url}en/{PLACE}")
    lab = LabInPage(page)
    lab.root.locator('[data-action="copy"]').click()
    expect(lab.region("taken")).to_have_text(builtin_library().messages["en"].text("script.by-hand"))
    assert page.evaluate("getSelection().toString()") == COMMAND


def test_every_button_is_large_enough_for_a_finger(open_tab: OpenTab, site_url: str) -> None:
    page = open_tab(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, saves_data=True)
    for root in some(ROOTS.values()):
        page.goto(f"{site_url}{root}labs/{LAB}/")
        for button in page.locator("gpu-lab button").all():
            box = button.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
