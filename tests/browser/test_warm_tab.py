"""The tab in which Python stays shows each page as a fresh one does, whatever a test before did in it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.form_page import ESTIMATE, FormInPage
from tests.browser.form_page import answer_of_python as form_answer
from tests.browser.lab_page import SCENARIO, LabInPage, answer_of_python


def test_a_lab_is_as_first_seen_after_another_and_after_itself(
    show: Callable[[str], Page], site_url: str
) -> None:
    for _ in range(2):
        lab = LabInPage(show(f"{site_url}ko/labs/slots-and-memory/"))
        expect(lab.yaml).to_have_value(SCENARIO)
        lab.root.locator('[data-preset="small"]').click()
        lab.says(answer_of_python("ko", changes=[{"preset": "small"}]))
        form = FormInPage(show(f"{site_url}en/labs/{ESTIMATE}/"), ESTIMATE)
        form.says(form_answer(ESTIMATE, "en"))
        form.button("measured-add").click()
        expect(form.field("measured.1.way")).to_be_visible()


def test_python_starts_once(show: Callable[[str], Page], site_url: str) -> None:
    page = show(f"{site_url}ko/labs/slots-and-memory/")
    lab = LabInPage(page)
    lab.root.locator('[data-preset="small"]').click()
    lab.says(answer_of_python("ko", changes=[{"preset": "small"}]))
    worker = page.workers
    again = LabInPage(show(f"{site_url}labs/slots-and-memory/"))
    again.root.locator('[data-preset="small"]').click()
    again.says(answer_of_python("ja", changes=[{"preset": "small"}]))
    assert len(worker) == 1
    assert page.workers == worker
