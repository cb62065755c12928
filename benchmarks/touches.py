"""How long the labs of *four mechanisms over time* and of rollouts take to answer, in Chromium: touch by touch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, repeat

from playwright.sync_api import Browser, Page

from benchmarks.wire import Wire
from labs.library import builtin_library

TIMEOUT_MS = 120_000
REPEATED = 10  # touches that come to what has been before
FORM, LAB, ROLLOUT = "gpu-form", "gpu-lab", "gpu-rollout"


@dataclass(frozen=True, slots=True)
class Touch:
    """A button to press, or a field and the value that it is set to, by selector within a lab."""

    selector: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Lab:
    """A lab in a page: the page's address, the lab's element and id."""

    page: str
    element: str
    id: str


Timed = tuple[str, Lab, tuple[Touch, ...], Iterator[Touch]]
"""A name, the lab, what is touched before, and what is timed: each comes to something new."""

# Touches a lab, and tells the milliseconds until it shows anything of that (that Python is on its way, say), and until the
# next frame after its answer was shown.
TOUCH = """([element, id, selector, value, timeout]) => new Promise((resolve, reject) => {
  const lab = document.querySelector(`${element}[lab="${id}"]`);
  const touched = lab.querySelector(selector);
  const status = lab.querySelector('[data-region="status"]');
  const regions = [...lab.querySelectorAll("[data-region]")].filter((region) => region !== status);
  const html = () => regions.map((region) => region.innerHTML).join("\\n");
  const before = html();
  let started, sign;
  const observer = new MutationObserver(() => {
    const isNew = html() !== before;
    if (isNew || status.textContent) sign ??= performance.now() - started;
    if (!isNew || status.textContent || lab.querySelector('[aria-busy="true"]')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve([sign, performance.now() - started])));
  });
  observer.observe(lab, { subtree: true, childList: true, characterData: true, attributes: true });
  setTimeout(() => reject(new Error("no answer")), timeout);
  started = performance.now();
  if (value === null) touched.click();
  else {
    touched.value = value;
    for (const kind of ["input", "change"]) touched.dispatchEvent(new Event(kind, { bubbles: true }));
  }
})"""

FOUR_WAYS = Lab("labs/four-ways/", FORM, "four-ways")
TRAP = Lab("labs/utilization-trap/", LAB, "utilization-trap")
BLAST = Lab("labs/blast-radius/", LAB, "blast-radius")
REQUESTS = Lab("labs/slots-and-memory/", LAB, "slots-and-memory")
ROLLOUTS = Lab("labs/rollout/", ROLLOUT, "stops-on-one-node")
SERVICE = "{kind: service, soloTime: 88ms, residency: 0.97, demand: 0.44, rate: 2/s}"


def settings(at_first: Mapping[str, str], **values: Iterable[str | int]) -> Iterator[Touch]:
    """Every combination of the values once, by one change after the other; the first named changes most seldom."""
    now = dict(at_first)
    for combination in to_and_fro(*(tuple(map(str, each)) for each in values.values())):
        for name, value in zip(values, combination, strict=True):
            if now[name] != value:
                now[name] = value
                yield Touch(f'[data-field="{name}"], [data-control="{name}"]', value)


def to_and_fro(*values: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All combinations, each but for one value as the one before."""
    if not values:
        yield ()
        return
    inner = [*to_and_fro(*values[1:])]
    for place, value in enumerate(values[0]):
        yield from ((value, *rest) for rest in (inner if place % 2 == 0 else reversed(inner)))


def request_level(sharing: str) -> str:
    """40 services on eight cards, request by request: ten minutes at 2 requests a second each."""
    text = builtin_library().lab(REQUESTS.id).scenario
    changes = (
        ("seed: 1\n", "seed: 1\ndetail: requests\n"),
        ("count: 4}", "count: 8}"),
        ("count: 19", "count: 39"),
        ("memory: 38GiB", "memory: 6GiB"),
        ("{kind: idle}", SERVICE),
        ("timeSlicing:", f"{sharing}:"),
        ("    arrival: 10s\n", ""),
        ("  expect: {oom: 4, pods: {big: Running, notebook: Running}}\n", ""),
    )
    for old, new in changes:
        text = text.replace(old, new)
    return text


def in_yaml(lab: str, old: str, new: str) -> Touch:
    """The lab's YAML with something else in it, which Python alone can answer."""
    library = builtin_library()
    text = library.labs[lab].scenario if lab in library.labs else library.rollouts[lab].scenario
    return Touch("[data-yaml]", text.replace(old, new))


def _four_ways() -> Iterator[Timed]:
    first = {"copies": "4", "memory": "6", "workload": "yolos-small-a100-80gb"}
    warm = (Touch('[data-field="layout"]', "1g.10gb"),)
    named = [name for name in builtin_library().workloads() if name != first["workload"]]
    yield "four ways, copies", FOUR_WAYS, warm, settings(first, copies=(1, 3, 5, 7, 8, 6, 4, 2) * REPEATED)
    yield "four ways, memory", FOUR_WAYS, warm, settings(first, memory=range(7, 80))
    yield "four ways, workload", FOUR_WAYS, warm, settings(first, memory=(6, 9), workload=named)


def _labs() -> Iterator[Timed]:
    trap = {"replicas": "5", "residency": "0.7", "jobs": "5"}
    residency = ("0.7", "0.3", "0.5", "0.9")
    longer = (in_yaml(TRAP.id, "horizon: 65m", "horizon: 64m"),)
    jobs = settings(trap, residency=residency, replicas=range(6, 1, -1), jobs=range(6, 1, -1))
    yield "trap, its sliders", TRAP, longer, jobs
    fault, pods = {"kind": "illegal-access", "pod": "api-1"}, ("api-0", "api-2", "notebook-0")
    kinds = ("process", "xid-reset", "card-lost", "illegal-access", "instance-fault")
    later = (in_yaml(BLAST.id, "horizon: 10m", "horizon: 11m"),)
    yield "blast radius, another fault", BLAST, later, settings(fault, kind=kinds, pod=pods)
    for sharing in ("timeSlicing", "mps"):
        written = (Touch("[data-yaml]", request_level(sharing)),)
        memory = settings({"big": "6", "others": "6"}, big=range(5, 0, -1), others=range(6, 0, -1))
        yield f"8 cards, 40 Pods, every request, {sharing}", REQUESTS, written, memory


def _rollouts() -> Iterator[Timed]:
    more = (in_yaml(ROLLOUTS.id, "nodes: 10", "nodes: 11"),)
    yield "rollout, its slider", ROLLOUTS, more, (Touch("[data-time]", str(at)) for at in range(30, 0, -1))
    first = {"minReadySeconds": "0", "maxUnavailable": "1"}
    budgets = ("2", "3", "5", "10%", "25%", "100%")
    numbers = settings(first, minReadySeconds=(10, 5, 30), maxUnavailable=budgets)
    yield "rollout, a setting", ROLLOUTS, more, numbers
    yield (
        "rollout, an act",
        ROLLOUTS,
        more,
        repeat(Touch('[id$="-act-cordon"]')),
    )  # and uncordon, on the same button


FIRST = {
    "a setting": Touch('[data-control="maxUnavailable"]', "2"),
    "a situation": Touch('[id$="-preset-healthy"]'),
    "its slider": Touch("[data-time]", "12"),
    "an act": Touch('[id$="-act-repair"]'),
    "its YAML": in_yaml(ROLLOUTS.id, "nodes: 10", "nodes: 11"),
}


def touch(page: Page, lab: Lab, one: Touch) -> tuple[float, float]:
    """Milliseconds until the lab shows anything of it, and until the frame that shows its answer."""
    sign, answer = page.evaluate(TOUCH, [lab.element, lab.id, one.selector, one.value, TIMEOUT_MS])
    return float(sign), float(answer)


@contextmanager
def _opened(browser: Browser, wire: Wire, lab: Lab) -> Iterator[Page]:
    """The lab's page, in a profile that has seen nothing yet."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.goto(wire.url + lab.page, wait_until="load")
        yield page


def next_touches(
    browser: Browser, wire: Wire, count: int, only: Sequence[str] | None = None
) -> dict[str, list[float]]:
    """So many touches of each lab, or of `only` some by name, once Python has answered it."""
    samples = {}
    for name, lab, before, timed in (*_four_ways(), *_labs(), *_rollouts()):
        if only is not None and name not in only:
            continue
        with _opened(browser, wire, lab) as page:
            for one in before:
                touch(page, lab, one)
            samples[name] = [touch(page, lab, one)[1] for one in islice(timed, count)]
    return samples


def first_touches(
    browser: Browser, wire: Wire, repeats: int, only: Sequence[str] | None = None
) -> dict[str, list[float]]:
    """A rollout lab touched as soon as its page is loaded, with nothing in the cache: until its answer is shown."""
    samples: dict[str, list[float]] = {}
    for what, one in FIRST.items():
        name = f"rollout, first touch: {what}, cold"
        if only is not None and name not in only:
            continue
        for _ in range(repeats):
            with _opened(browser, wire, ROLLOUTS) as page:
                sign, answer = touch(page, ROLLOUTS, one)
            samples.setdefault(name, []).append(answer)
            if what == "its YAML":  # all others are answered before Python is there
                samples.setdefault(f"rollout, first touch: {what}, until anything is seen", []).append(sign)
    return samples
