"""A reader cuts a card in the page: adds, moves and removes steps, sees why one is refused, takes the result along."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from labs.config.mig_parted.loader import load
from labs.library import builtin_library
from tests.browser.check_page import VIOLATIONS
from tests.browser.lab_page import (
    ROOTS,
    OpenTab,
    Show,
    at,
    every_language,
    listening_worker,
    one_language,
)
from tests.browser.planner_page import PLANNER, SMALL_FIRST, PlannerInPage, answer_of_python
from tests.browser.test_access import found_by_axe
from tests.browser.test_fingers import PHONE, TOO_SMALL

LARGE_FIRST = "a100-40gb:3g.20gb_2g.10gb_1g.5gb_1g.5gb"
CRASH = "void (self.onmessage = () => postMessage({kind: 'crashed', reason: 'out of memory'}))"


def opened(tab: Page | Show, site_url: str, language: str = "en") -> PlannerInPage:
    lab = PlannerInPage(at(tab, f"{site_url}{ROOTS[language]}{PLANNER}"))
    lab.root.scroll_into_view_if_needed()
    return lab


def opened_whole(show: Show, site_url: str) -> PlannerInPage:
    """The lab in a window in which all of its list is in sight."""
    lab = opened(show, site_url)
    lab.page.set_viewport_size({"width": 1280, "height": 1400})
    return lab


def message(key: str, language: str = "en") -> str:
    return builtin_library().messages[language].text(key)


# By mouse, by keyboard, by touch


@one_language
def test_both_lessons_are_a_click_away(show: Show, site_url: str, language: str) -> None:
    lab = opened(show, site_url, language)
    lab.says(answer_of_python(language))
    lab.button("take").click()
    lab.says(answer_of_python(language, LARGE_FIRST))
    expect(lab.root.locator(".gl-step-refused")).to_have_count(0)
    lab.button("preset-three-three-one").click()
    lab.says(answer_of_python(language, "", {"preset": "three-three-one"}))
    expect(lab.root.locator(".gl-step-refused")).to_have_count(1)
    expect(lab.region("summary")).to_have_attribute("role", "status")
    expect(lab.root.locator("[aria-busy]")).to_have_count(0)


def test_all_of_it_goes_by_keyboard_alone(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.button("up-3").focus()
    for place in (2, 1, 0):
        lab.page.keyboard.press("Enter")
        expect(lab.button(f"up-{place}")).to_be_focused()
    lab.says(answer_of_python("en", "a100-40gb:3g.20gb_1g.5gb_1g.5gb_2g.10gb"))
    lab.page.keyboard.press("Enter")  # it is the first already
    expect(lab.button("up-0")).to_be_focused()
    lab.button("remove-1").focus()
    lab.page.keyboard.press("Enter")
    lab.says(answer_of_python("en", "a100-40gb:3g.20gb_1g.5gb_2g.10gb"))
    expect(lab.button("remove-1")).to_be_focused()
    lab.button("start-0").focus()
    lab.page.keyboard.press("0")
    lab.says(answer_of_python("en", "a100-40gb:3g.20gb.at0_1g.5gb_2g.10gb"))
    expect(lab.button("start-0")).to_be_focused()
    lab.button("add-0").focus()
    lab.page.keyboard.press("Enter")
    lab.page.keyboard.press("Enter")
    lab.says(answer_of_python("en", "a100-40gb:3g.20gb.at0_1g.5gb_2g.10gb_1g.5gb_1g.5gb"))
    expect(lab.button("add-0")).to_be_focused()


def test_every_button_is_reached_with_the_tab_key(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.card.focus()
    reached = set()
    for _ in range(60):
        lab.page.keyboard.press("Tab")
        reached.add(lab.page.evaluate("document.activeElement.id"))
    wanted = {
        f"mig-planner-{kind}-{place}" for kind in ("up", "down", "remove", "start") for place in range(4)
    }
    assert wanted | {f"mig-planner-add-{place}" for place in range(7)} | {"mig-planner-take"} <= reached


def test_a_finger_on_a_phone_does_it_too(open_tab: OpenTab, site_url: str) -> None:
    page = open_tab(**PHONE)
    lab = opened(page, site_url, "ko")
    assert page.evaluate(TOO_SMALL) == []
    lab.button("preset-three-three-one").tap()
    lab.says(answer_of_python("ko", "", {"preset": "three-three-one"}))
    lab.button("remove-1").tap()
    lab.button("add-3").tap()
    lab.says(answer_of_python("ko", "a100-40gb:3g.20gb_1g.5gb_2g.10gb"))
    lab.button("down-0").tap()
    lab.says(answer_of_python("ko", "a100-40gb:1g.5gb_3g.20gb_2g.10gb"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# By dragging, which says what the buttons say


def grip(lab: PlannerInPage, place: int) -> Locator:
    return lab.steps.nth(place).locator(".gl-grip")


def aim(page: Page, at: Locator, part: float) -> None:
    """Moves the pointer to the middle of what is there, at that part of its height."""
    box = at.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * part, steps=4)


def hold(page: Page, what: Locator) -> None:
    what.scroll_into_view_if_needed()
    aim(page, what, 0.5)
    page.mouse.down()


@pytest.mark.parametrize(
    ("held", "over", "part", "cut"),
    [
        (3, 0, 0.1, "a100-40gb:3g.20gb_1g.5gb_1g.5gb_2g.10gb"),
        (3, 1, 0.9, "a100-40gb:1g.5gb_1g.5gb_3g.20gb_2g.10gb"),
        (0, 3, 0.9, "a100-40gb:1g.5gb_2g.10gb_3g.20gb_1g.5gb"),
        (0, 2, 0.1, SMALL_FIRST),
        (2, 2, 0.9, SMALL_FIRST),
    ],
)
def test_a_step_is_dragged_to_its_place(
    show: Show, site_url: str, held: int, over: int, part: float, cut: str
) -> None:
    lab = opened_whole(show, site_url)
    hold(lab.page, grip(lab, held))
    aim(lab.page, lab.steps.nth(over), part)
    expect(lab.root.locator(".gl-held")).to_have_count(1)
    expect(lab.root.locator(".gl-drop-before, .gl-drop-after")).to_have_count(1)
    lab.page.mouse.up()
    lab.says(answer_of_python("en", cut))
    expect(lab.root.locator(".gl-held, .gl-drop-before, .gl-drop-after")).to_have_count(0)


def test_a_profile_is_dragged_into_the_list_and_into_an_empty_one(show: Show, site_url: str) -> None:
    lab = opened_whole(show, site_url)
    profile = lab.region("palette").locator(".gl-grip").nth(3)
    hold(lab.page, profile)
    aim(lab.page, lab.steps.nth(1), 0.1)
    lab.page.mouse.up()
    lab.says(answer_of_python("en", "a100-40gb:1g.5gb_2g.10gb_1g.5gb_2g.10gb_3g.20gb"))
    lab.button("clear").click()
    lab.says(answer_of_python("en", "a100-40gb:"))
    hold(lab.page, profile)
    aim(lab.page, lab.region("steps"), 0.5)
    lab.page.mouse.up()
    lab.says(answer_of_python("en", "a100-40gb:2g.10gb"))


def test_a_drag_is_given_up_with_escape_and_comes_to_nothing_beside_the_list(
    show: Show, site_url: str
) -> None:
    lab = opened_whole(show, site_url)
    hold(lab.page, grip(lab, 3))
    aim(lab.page, lab.steps.nth(0), 0.1)
    lab.page.keyboard.press("Escape")
    expect(lab.root.locator(".gl-held, .gl-drop-before")).to_have_count(0)
    lab.page.mouse.up()
    hold(lab.page, grip(lab, 3))
    aim(lab.page, lab.root.locator("svg").first, 0.5)
    expect(lab.root.locator(".gl-drop-before, .gl-drop-after")).to_have_count(0)
    lab.page.mouse.up()
    lab.button("add-0").click()
    lab.says(answer_of_python("en", SMALL_FIRST + "_1g.5gb"))


def test_an_answer_that_comes_during_a_drag_ends_it(show: Show, site_url: str) -> None:
    lab = opened_whole(show, site_url)
    lab.button("add-0").click()
    lab.says(answer_of_python("en", SMALL_FIRST + "_1g.5gb"))
    hold(lab.page, grip(lab, 4))
    aim(lab.page, lab.steps.nth(0), 0.1)
    lab.page.evaluate("document.getElementById('mig-planner-remove-0').click()")
    lab.says(answer_of_python("en", "a100-40gb:1g.5gb_2g.10gb_3g.20gb_1g.5gb"))
    lab.page.mouse.up()
    lab.button("add-0").click()
    lab.says(answer_of_python("en", "a100-40gb:1g.5gb_2g.10gb_3g.20gb_1g.5gb_1g.5gb"))


def test_a_finger_drags_a_grip_and_scrolls_elsewhere(open_tab: OpenTab, site_url: str) -> None:
    page = open_tab(**PHONE)
    lab = opened(page, site_url, "ja")
    page.evaluate("document.querySelector('.gl-step').scrollIntoView({ block: 'center' })")
    before = page.evaluate("scrollY")
    swipe(page, lab.steps.nth(0).locator("strong"), -120)
    while page.evaluate("scrollY") <= before + 60:
        page.wait_for_timeout(50)
    lab.says(answer_of_python("ja"))
    page.evaluate("document.querySelectorAll('.gl-step')[1].scrollIntoView({ block: 'center' })")
    there = at_rest(page)
    page.evaluate("addEventListener('pointerup', () => { window.scrolledAtDrop = scrollY }, { once: true })")
    step = lab.steps.nth(1).bounding_box()
    assert step is not None
    swipe(page, grip(lab, 1), 1.6 * step["height"])
    lab.says(answer_of_python("ja", SMALL_FIRST, {"down": 1}))
    assert page.evaluate("scrolledAtDrop") == there


def at_rest(page: Page) -> float:
    """How far the page is scrolled, once that has not changed for a while: a finger's scrolling goes on behind its end."""
    scrolled: float = page.evaluate(
        """async () => {
            for (let last = -1, still = 0; still < 30; last = scrollY) {
                await new Promise(requestAnimationFrame);
                still = scrollY === last ? still + 1 : 0;
            }
            return scrollY;
        }"""
    )
    return scrolled


def swipe(page: Page, at: Locator, by: float) -> None:
    """A finger put down there and drawn down by so many pixels (negative: up)."""
    box = at.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    client = page.context.new_cdp_session(page)
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 11):
        point = {"x": x, "y": y + by * part / 10}
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_what_is_pressed_before_an_answer_means_what_it_said(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.page.evaluate(
        "['up-3', 'up-3', 'remove-0', 'add-0'].forEach((name) => document.getElementById(`mig-planner-${name}`).click())"
    )
    lab.says(answer_of_python("en", "a100-40gb:3g.20gb_1g.5gb_2g.10gb_1g.5gb"))


def test_another_card_has_the_same_slices_under_its_own_names(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.card.select_option("a30-24gb")
    lab.says(answer_of_python("en", "a30-24gb:1g.6gb_1g.6gb_2g.12gb"))
    lab.button("preset-balanced").click()
    lab.says(answer_of_python("en", "a30-24gb:2g.12gb_1g.6gb_1g.6gb"))
    lab.root.locator(".gl-reset").click()
    lab.says(answer_of_python("en"))
    expect(lab.card).to_have_value("a100-40gb")


# Taking along, and coming back


def test_a_draft_outlives_a_reload_and_a_change_of_language(page: Page, site_url: str) -> None:
    first, other, _ = ROOTS
    lab = opened(page, site_url, first)
    lab.button("remove-0").click()
    cut = "a100-40gb:1g.5gb_2g.10gb_3g.20gb"
    lab.says(answer_of_python(first, cut))
    page.reload()
    lab.root.scroll_into_view_if_needed()
    lab.says(answer_of_python(first, cut))
    page.locator(f'.gl-languages a[lang="{other}"]').first.click()
    lab.root.scroll_into_view_if_needed()
    lab.says(answer_of_python(other, cut))


def test_a_list_of_ones_own_is_not_lost_to_one_to_try(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.button("remove-0").click()
    mine = answer_of_python("en", "a100-40gb:1g.5gb_2g.10gb_3g.20gb")
    lab.says(mine)
    lab.button("preset-ones").click()
    lab.says(answer_of_python("en", "", {"preset": "ones"}))
    lab.region("opened").get_by_role("button", name=message("script.restore")).click()
    lab.says(mine)


def test_a_link_shows_another_reader_the_same_in_each_language(show: Show, site_url: str) -> None:
    lab = opened(show, site_url, "ja")
    lab.button("up-3").click()
    cut = "a100-40gb:1g.5gb_1g.5gb_3g.20gb_2g.10gb"
    lab.says(answer_of_python("ja", cut))
    lab.root.locator('[data-action="share"]').click()
    expect(lab.region("taken")).to_have_text(message("script.copied", "ja"))
    start, mark, fragment = lab.page.evaluate("navigator.clipboard.readText()").partition("#")
    assert (start, mark) == (f"{site_url}{PLANNER}", "#")
    for language, root in ROOTS.items():
        other = show(f"{site_url}{root}{PLANNER}#{fragment}")
        theirs = PlannerInPage(other)
        theirs.says(answer_of_python(language, cut))
        expect(theirs.region("opened")).to_have_text(message("planner-share.opened", language))
        other.goto(f"{site_url}{root}{PLANNER}#lab=mig-planner&v=1&card=a100-40gb&cut=9g")
        expect(theirs.region("opened")).to_contain_text(message("planner-share.broken", language))
        theirs.says(answer_of_python(language, cut))


def test_the_texts_are_copied_and_the_config_is_saved_with_the_command_that_checks_it(
    show: Show, site_url: str
) -> None:
    lab = opened(show, site_url)
    lab.root.locator('[data-from="mig-planner-smi"]').click()
    expect(lab.region("taken")).to_have_text(message("script.copied"))
    assert "-cgi 9,14,19,19 -C" in lab.page.evaluate("navigator.clipboard.readText()")
    with lab.page.expect_download() as download:
        lab.root.locator('[data-action="download"]').click()
    saved = Path(download.value.path()).read_text("utf-8")
    assert download.value.suggested_filename == "mig-config.yaml"
    assert saved.partition("\n")[0].endswith("gpulab check mig-config.yaml")
    assert load(saved).loads


# Trouble and manners


def test_a_breakdown_is_told_and_a_retry_goes_on_with_the_list(page: Page, site_url: str) -> None:
    lab = opened(page, site_url)
    lab.button("remove-0").click()
    lab.says(answer_of_python("en", "a100-40gb:1g.5gb_2g.10gb_3g.20gb"))
    worker = listening_worker(page)
    worker.evaluate(CRASH)
    lab.button("up-2").click()
    expect(lab.region("status")).to_contain_text(message("planner-script.crashed"))
    expect(lab.region("status")).to_have_attribute("role", "alert")
    lab.region("status").get_by_role("button").click()
    lab.says(answer_of_python("en", "a100-40gb:1g.5gb_3g.20gb_2g.10gb"))
    expect(lab.region("status")).to_be_empty()


@every_language
def test_without_script_the_list_is_a_whole_result_to_read(
    open_tab: OpenTab, site_url: str, language: str
) -> None:
    page = open_tab(java_script_enabled=False)
    page.goto(f"{site_url}{ROOTS[language]}{PLANNER}")
    lab = PlannerInPage(page)
    lab.says(answer_of_python(language, SMALL_FIRST))
    expect(lab.root.locator("svg")).to_have_count(2)
    for control in (*lab.root.locator("button").all(), *lab.root.locator("select").all()):
        expect(control).to_be_hidden()


def test_the_strict_policy_is_never_touched(page: Page, site_url: str) -> None:
    page.add_init_script(VIOLATIONS)
    lab = opened(page, site_url)
    lab.button("preset-ones").click()
    lab.says(answer_of_python("en", "", {"preset": "ones"}))
    assert page.evaluate("violations") == []
    assert page.evaluate("document.querySelectorAll('style, [style]').length") == 0


@one_language
def test_axe_finds_nothing_in_a_list_with_a_refusal(open_tab: OpenTab, site_url: str, language: str) -> None:
    page = open_tab(bypass_csp=True)
    lab = opened(page, site_url, language)
    lab.button("add-0").click()
    lab.says(answer_of_python(language, SMALL_FIRST + "_1g.5gb"))
    assert found_by_axe(page) == []


def test_pages_without_a_planner_ask_for_none_of_it(page: Page, site_url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site_url}en/labs/check/", wait_until="networkidle")
    assert [url for url in asked if "planner" in url] == []
