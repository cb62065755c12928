"""On a phone every page fits the screen, and what a finger has to hit is large enough for one."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.lab_page import ARTICLE, LAB, ROOTS, LabInPage, OpenTab, answer_of_python, every_language

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PLACES = [
    "",
    ARTICLE,
    "labs/",
    "labs/before-sharing/",
    "labs/too-large-request/",
    "hosting/",
    "contributing/",
]
# Links in running text are as high as their line; a switch is hit anywhere in its field.
TARGETS = "button, select, summary, textarea, input:not([type=checkbox]), .gl-switch, nav a, .gl-footer a"
TOO_SMALL = f"""() => [...document.querySelectorAll('{TARGETS}')]
  .filter((target) => target.checkVisibility() && !target.closest('.gl-skip'))
  .map((target) => [target.textContent.trim().slice(0, 30), target.getBoundingClientRect()])
  .filter(([, box]) => box.height > 0 && (box.height < 43.9 || box.width < 24))
  .map(([words, box]) => `${{words}}: ${{Math.round(box.width)}} by ${{Math.round(box.height)}}`)"""


@every_language
def test_all_there_is_to_hit_is_large_enough(open_tab: OpenTab, site_url: str, language: str) -> None:
    page = open_tab(**PHONE, saves_data=True)
    for place in PLACES:
        page.goto(f"{site_url}{ROOTS[language]}{place}")
        for folded in page.locator(".gl-toc summary, .gl-further > summary, .gl-more > summary").all():
            folded.tap()
        assert page.evaluate(TOO_SMALL) == [], place
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place


@every_language
def test_the_header_takes_two_rows_with_the_languages_beside_the_name(
    open_tab: OpenTab, site_url: str, language: str
) -> None:
    page = open_tab(**PHONE, saves_data=True)
    for width in (390, 600, 768, 950):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"{site_url}{ROOTS[language]}labs/")
        tops = page.evaluate(
            "['.gl-header', '.gl-brand', '.gl-languages', '.gl-sections', '.gl-search-open'].map((part) => {"
            " const box = document.querySelector(part).getBoundingClientRect(); return [box.height, box.top] })"
        )
        assert tops[0][0] < 105, width
        assert abs(tops[1][1] - tops[2][1]) < 10, width
        assert abs(tops[3][1] - tops[4][1]) < 10 < tops[3][1] - tops[1][1], width


def test_what_korean_attaches_to_code_stays_on_its_line(open_tab: OpenTab, site_url: str) -> None:
    page = open_tab(**PHONE, saves_data=True)
    for place in (ARTICLE, "labs/too-large-request/", "contributing/"):
        page.goto(f"{site_url}ko/{place}")
        torn = page.evaluate(
            """() => [...document.querySelectorAll('.gl-article :not(pre) > code')].filter((code) => {
              const next = code.nextSibling;
              if (next?.nodeType !== Node.TEXT_NODE || !/^[가-힣]/.test(next.data)) return false;
              if (code.textContent.endsWith('/')) return false; // behind a slash any line may break
              const letter = document.createRange();
              letter.setStart(next, 0);
              letter.setEnd(next, 1);
              const line = [...code.getClientRects()].at(-1);
              return line && letter.getBoundingClientRect().top > line.bottom;
            }).map((code) => code.textContent + code.nextSibling.data.slice(0, 4))"""
        )
        assert torn == [], place


def test_a_switch_is_hit_anywhere_in_its_field(open_tab: OpenTab, site_url: str) -> None:
    page = open_tab(**PHONE)
    page.goto(f"{site_url}en/labs/{LAB}/")
    lab = LabInPage(page)
    switch = lab.control("failRequestsGreaterThanOne")
    expect(switch).to_be_checked()
    lab.output("failRequestsGreaterThanOne").tap(force=True)  # the label lies over it
    expect(switch).not_to_be_checked()
    lab.says(answer_of_python("en", changes=[{"control": "failRequestsGreaterThanOne", "value": False}]))
    switch.tap()
    expect(switch).to_be_checked()


@every_language
def test_the_story_is_read_to_its_end_with_a_finger(open_tab: OpenTab, site_url: str, language: str) -> None:
    page = open_tab(**PHONE)
    page.goto(f"{site_url}{ROOTS[language]}{ARTICLE}")
    lab = LabInPage(page)
    lab.root.locator('[data-preset="small"]').tap()
    lab.says(answer_of_python(language, changes=[{"preset": "small"}]))
    lab.root.locator('[data-action="reset"]').tap()
    lab.says(answer_of_python(language))
    lab.unfold()
    expect(lab.root.locator("table").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
