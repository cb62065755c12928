"""What a reader of the article and of labs waits for, in Chromium: bytes, the first result, first and next touches."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks import touches
from benchmarks.table import Cell, Result, Table, median, percentile
from benchmarks.wire import Wire, served
from checks.weight import budget
from tools import site
from tools.chromium import ensure_chromium
from tools.process import Failure

ARTICLE = "articles/gpu-sharing/"
LAB, CONTROL = "slots-and-memory", "big"
STOPS = tuple(range(37, 1, -1))
IDLE_MS = 4_000
HEAD_START = ("/assets/labs/runtime/", "/assets/labs/worker.js", "/assets/labs/pyodide-options.js")
REPEATS = 5
TIMEOUT_MS = 120_000

FIRST_RESULT = """() => {
  const picture = document.querySelector("gpu-lab .gl-picture svg");
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return picture && picture.getBoundingClientRect().height > 0 && paint ? [paint.startTime, performance.now()] : null;
}"""

# Sets a control, or edits the YAML, and waits for the next frame after the result's hash changed.
TOUCH = """([lab, control, value, timeout]) => new Promise((resolve, reject) => {
  const root = document.querySelector(`gpu-lab[lab="${lab}"]`);
  const field = root.querySelector(control ? `[data-control="${control}"]` : "[data-yaml]");
  const hash = () => root.querySelector('[data-region="hash"]').textContent;
  const before = hash();
  const observer = new MutationObserver(() => {
    if (hash() === before) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)));
  });
  observer.observe(root, { subtree: true, childList: true, characterData: true });
  setTimeout(() => reject(new Error("no new result")), timeout);
  field.value = control ? value : field.value.replace(/memory: 38GiB/, `memory: ${value}`);
  const started = performance.now();
  field.dispatchEvent(new Event("input", { bubbles: true }));
})"""


# How long the answers of a check lab took so far, from the question to what is shown.
MEASURED = """() => performance.getEntriesByName("gpu-check").map((entry) => entry.duration)"""
CHECK = "labs/check/"
CONFIG = """\
    version: v1
    sharing:
      timeSlicing:
        failRequestsGreaterThanOne: true
        resources:
          - name: nvidia.com/gpu
            replicas: {replicas}
"""
POD = """\
---
apiVersion: v1
kind: Pod
metadata:
  name: notebook-{n}
spec:
  containers:
    - name: notebook
      image: registry.example/notebook:1
      resources:
        limits:
          nvidia.com/gpu: 2
"""
CHECKED = {"34 lines": (2, 1), "202 lines": (17, 5)}  # configs and Pods
EDITS = 20

PLANNER = "labs/mig-planner/"
# Python keeps its answers about the latest 16 lists, so the presses come to more of them: all orders of four different steps,
# each by one exchange of neighbours from that before (Steinhaus, Johnson and Trotter), and windows over nine profiles.
SWAPS = tuple(f"up-{place}" for place in (3, 2, 1, 3, 1, 2, 3, 1) * 3)
DIFFERENT = ("remove-0", "add-1")  # what makes the steps of the first list four different ones
PROFILES = tuple(f"add-{place}" for place in (0, 1, 2, 3, 4, 5, 6, 0, 2))
MOST_STEPS = 16
SLIDER = "next touches of the slider"

# Presses a button of the planner and waits for the next frame after the list changed.
PRESS = """([name, timeout]) => new Promise((resolve, reject) => {
  const steps = document.querySelector('gpu-planner [data-region="steps"]');
  const observer = new MutationObserver(() => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)));
  });
  observer.observe(steps, { subtree: true, childList: true, characterData: true });
  setTimeout(() => reject(new Error("no new list")), timeout);
  const started = performance.now();
  document.getElementById(`mig-planner-${name}`).click();
})"""

CASES = ("cold", "cached", "idle")


def measure(
    repeats: int = REPEATS,
    idle_ms: int = IDLE_MS,
    stops: Sequence[int] = STOPS,
    cases: Sequence[str] = CASES,
    edits: int = EDITS,
    presses: int = EDITS,
    touched: Sequence[str] | None = None,
) -> Result:
    """All that is measured, each first thing with `repeats` browser profiles that have seen nothing yet.

    Of the labs' touches (`touches.py`) those that are `touched`, all where that is None.
    """
    with served(site.ensure()) as wire, chromium() as browser:
        weights = _weights(browser, wire)
        samples: dict[str, list[float]] = {}
        for scripts in ("on", "off"):
            firsts = [_first_result(browser, wire, scripts == "on") for _ in range(repeats)]
            samples[f"first paint, scripts {scripts}"] = [paint for paint, _ in firsts]
            samples[f"first result there, scripts {scripts}"] = [seen for _, seen in firsts]
        for name, control in (("slider", CONTROL), ("YAML", "")):
            for case in cases:
                samples[f"first touch of the {name}, {case}"] = [
                    _first_touch(browser, wire, control, case, idle_ms) for _ in range(repeats)
                ]
        samples[SLIDER] = _next_touches(browser, wire, stops)
        samples["first step in the planner, cold"] = [_plans(browser, wire, 0)[0][0] for _ in range(repeats)]
        samples["next steps, of 4"], samples["next steps, of 16"] = _plans(browser, wire, presses)[1:]
        samples |= touches.next_touches(browser, wire, edits, touched)
        samples |= touches.first_touches(browser, wire, repeats, touched)
        for name, (configs, pods) in CHECKED.items():
            samples[f"check lab, {name}"] = _checks(browser, wire, checked_text(configs, pods), edits)
    return Result((_weight_table(weights), _time_table(samples, repeats, idle_ms)), samples)


def _weight_table(rows: Sequence[tuple[Cell, ...]]) -> Table:
    return Table(
        "The Japanese article over the wire, from an empty cache",
        ("", "KB", "requests", "allowed, KB"),
        tuple(rows),
        ("Bodies after gzip. The head start is fetched when a lab is near and the page is idle.",),
    )


def _time_table(samples: dict[str, list[float]], repeats: int, idle_ms: int) -> Table:
    slider = median(samples[SLIDER])
    rows = [
        (name, median(times), min(times), percentile(times, 90), median(times) / slider, len(times))
        for name, times in samples.items()
    ]
    return Table(
        "The reader's waits, from the same machine over 127.0.0.1",
        ("", "median, ms", "fastest, ms", "p90, ms", "to the slider's", "times"),
        tuple(rows),
        (
            "Cold: nothing in the HTTP cache, touched as soon as the page is loaded. Cached: the same page once more.",
            f"Idle: nothing in the cache, touched after {idle_ms / 1000:g} s beside the lab.",
            "A touch ends with the frame after the new result. The YAML can only be answered by Python; its times hold",
            "the pause of 250 ms that typing is given (300 in a rollout lab). A check lab's times are from the question to",
            "what is shown. Every request: those of ten minutes of 40 services at 2 a second each.",
            "To the slider's: the median, divided by that of the slider's next touches, which hold from machine to machine.",
        ),
    )


@contextmanager
def chromium() -> Iterator[Browser]:
    """The Chromium that the tests use, without a window."""
    executable = ensure_chromium()
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=["--disable-gpu", "--disable-background-networking", *(["--no-sandbox"] if as_root else [])],
        )
        yield browser
        browser.close()


@contextmanager
def _profile(browser: Browser, scripts: bool = True) -> Iterator[BrowserContext]:
    """A profile without history, storage and cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, java_script_enabled=scripts)
    context.set_default_timeout(TIMEOUT_MS)
    yield context
    context.close()


def _weights(browser: Browser, wire: Wire) -> list[tuple[Cell, ...]]:
    start = len(wire.log)
    with _profile(browser) as context:
        page = context.new_page()
        page.goto(wire.url + ARTICLE, wait_until="networkidle")
        before = wire.answers(start)
        _touch(page, CONTROL, STOPS[0])
        page.wait_for_load_state("networkidle")
        after = wire.answers(start)
    own = [answer for answer in before if not answer[0].startswith(HEAD_START)]
    rows = [
        ("the page itself", own, budget("pages", "article").bytes),
        ("head start of its labs", [answer for answer in before if answer not in own], None),
        ("all, once a lab is touched", after, budget("pages", "article").bytes + budget("runtime").bytes),
    ]
    return [
        (name, sum(size for _, size in answers) / 1000, len(answers), None if most is None else most / 1000)
        for name, answers, most in rows
    ]


def _first_result(browser: Browser, wire: Wire, scripts: bool) -> tuple[float, float]:
    """Milliseconds from navigation to the first paint, and until a lab's result is known to be laid out."""
    with _profile(browser, scripts) as context:
        page = context.new_page()
        page.goto(wire.url + ARTICLE, wait_until="commit")
        for _ in range(TIMEOUT_MS // 10):
            seen = page.evaluate(FIRST_RESULT)
            if seen:
                return float(seen[0]), float(seen[1])
            page.wait_for_timeout(10)
    raise Failure("The article showed no result.")


def _first_touch(browser: Browser, wire: Wire, control: str, case: str, idle_ms: int) -> float:
    with _profile(browser) as context:
        if case == "cached":
            _open_and_touch(context, wire, control)
        return _open_and_touch(context, wire, control, idle_ms if case == "idle" else 0)


def _open_and_touch(context: BrowserContext, wire: Wire, control: str, idle_ms: int = 0) -> float:
    page = context.new_page()
    page.goto(wire.url + ARTICLE, wait_until="load")
    if idle_ms:
        page.locator(f'gpu-lab[lab="{LAB}"]').scroll_into_view_if_needed()
        page.wait_for_timeout(idle_ms)
    spent = _touch(page, control, STOPS[0])
    page.evaluate("localStorage.clear()")  # the next page opens the lab as the site wrote it
    page.close()
    return spent


def _next_touches(browser: Browser, wire: Wire, stops: Sequence[int]) -> list[float]:
    """Each stop of the slider after the other, once Python has answered."""
    with _profile(browser) as context:
        page = context.new_page()
        page.goto(wire.url + ARTICLE, wait_until="load")
        _touch(page, "", STOPS[-1] - 1)
        return [_touch(page, CONTROL, stop) for stop in stops]


def _plans(browser: Browser, wire: Wire, presses: int) -> tuple[list[float], list[float], list[float]]:
    """The first answer of a planner touched as soon as it is loaded; so many of a list of four steps, and of the longest."""
    with _profile(browser) as context:
        page = context.new_page()
        page.goto(wire.url + PLANNER, wait_until="load")
        first = [_press(page, DIFFERENT[0])]
        if not presses:
            return first, [], []
        _press(page, DIFFERENT[1])
        short = [_press(page, name) for name in islice(cycle(SWAPS), presses)]
        profiles = cycle(PROFILES)
        while page.locator("gpu-planner .gl-step").count() < MOST_STEPS:
            _press(page, next(profiles))
        longest = [_press(page, "remove-0" if press % 2 == 0 else next(profiles)) for press in range(presses)]
        return first, short, longest


def _press(page: Page, name: str) -> float:
    return float(page.evaluate(PRESS, [name, TIMEOUT_MS]))


def checked_text(configs: int, pods: int) -> str:
    """A ConfigMap with so many configs, and so many Pods that ask for more than any of them allows."""
    head = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: gpu-sharing\n  namespace: gpu-operator\ndata:\n"
    )
    named = (f"  config-{n}: |\n{CONFIG.format(replicas=n + 2)}" for n in range(configs))
    return "".join([head, *named, *(POD.format(n=n) for n in range(pods))])


def _checks(browser: Browser, wire: Wire, text: str, edits: int) -> list[float]:
    """Each edit after the other at the end of a text, once the text itself has been answered."""
    with _profile(browser) as context:
        page = context.new_page()
        page.goto(wire.url + CHECK, wait_until="load")
        editor = page.locator("gpu-check .cm-content")
        editor.focus()
        page.keyboard.press("ControlOrMeta+A")
        page.keyboard.insert_text(f"{text}# ")
        for count in range(edits + 1):
            while len(page.evaluate(MEASURED)) <= count:
                page.wait_for_timeout(20)
            page.keyboard.insert_text("x")
        return [float(spent) for spent in page.evaluate(MEASURED)[1 : edits + 1]]


def _touch(page: Page, control: str, gib: int) -> float:
    """Milliseconds from a change of the big Pod's memory to the frame that shows its result."""
    value = str(gib) if control else f"{gib}GiB"
    return float(page.evaluate(TOUCH, [LAB, control, value, TIMEOUT_MS]))
