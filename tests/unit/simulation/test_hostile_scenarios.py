"""Texts that nobody means well with: answered with problems, soon, and never with anything else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.browser import RECORD_LIMIT as PAGE_LIMIT
from labs.config.own.problem import ProblemsError
from labs.library import builtin_library
from labs.report.writing.problems import problems_html, problems_text
from tests.random_sample import examples
from tests.unit.scenarios import STORY, outcome, read

REQUIRED = ("format", "horizon", "nodes", "workloads")
LETTERS = "abcdefghij"
ALIASES_OF_ALIASES = "a: &a [x, x]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n" for before, after in pairwise(LETTERS)
)
MERGES_OF_MERGES = "a: &a {x: 1}\n" + "".join(
    f"{after}: &{after} {{<<: [{', '.join([f'*{before}'] * 9)}]}}\n" for before, after in pairwise(LETTERS)
)
HOSTILE = {
    "lists in lists": "[" * 100_000,
    "maps in maps": "{a: " * 20_000,
    "aliases of aliases": ALIASES_OF_ALIASES + "nodes: *j\nworkloads: *j\nexpect: *j\n",
    "merges of merges": MERGES_OF_MERGES + "nodes: [*j]\nworkloads: [*j]\n",
    "a list in itself": "nodes: &a [*a]\nworkloads: &b [{memory: *b}]\n",
    "a map in itself": "expect: &a {pods: *a}\n",
    "a merge of itself": "nodes: [&a {<<: *a}]\n",
    "a huge integer": f"format: {'9' * 100_000}\n",
    "a huge octal": f"format: 0{'7' * 100_000}\n",
    "a huge exponent": "format: 1e999999999\nhorizon: 1e999999999s\n",
    "not a number": "format: .nan\nseed: .inf\n",
    "long numbers": f"horizon: {'9' * 5000}h\ncontextMemory: {'9' * 5000}\ndriverReserve: 0.{'0' * 5000}1\n",
    "one long word": "x" * 999_000,
    "one long quote": '"' + "x" * 900_000,
    "spaces": " " * 999_000,
    "too long": "#" * 1_000_001,
    "many unknown keys": "".join(f"key{index}: 1\n" for index in range(20_000)),
    "many equal keys": "format: 1\n" * 20_000,
    "many bad workloads": "workloads:\n" + "  - {}\n" * 1000,
    "NUL": "format: 1\0\n",
    "DEL": "format: \x7f\n",
    "a lone surrogate": 'format: "\ud800"\n',
    "an escaped surrogate": 'name: "\\ud800"\n',
    "an escaped NUL": 'nodes: [{name: "\\0", gpus: {model: "\\0", count: 1}, config: "\\0"}]\n',
    "line separators": "format: 1\u2028horizon: 1m\u2029nodes: []\x85",
    "byte order marks": "\ufeff\ufeffformat: 1",
    "right to left": "\u202eformat: 1",
    "tags": "!!python/object/apply:os.system ['true']\n",
    "a binary": "format: !!binary ====\n",
    "a set of everything": "? [a]\n? {b: c}\n? !!null\n",
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_has_problems(text: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        read(text)
    messages = builtin_library().messages["ja"]
    assert problems_text(caught.value.problems, messages, text, "x.yaml")
    assert problems_html(caught.value.problems, messages, text)


def jobs(count: int, arrival: str) -> str:
    """Different trainings, all on one card."""
    work = "kind: training, iterations: 100000, residency: 0.5"
    return ONE_CARD + "".join(
        f"  - {{name: w{n}, arrival: {arrival.format(n)}, request: {{nvidia.com/gpu: 1}}, contextMemory: 1MiB, "
        f"job: {{{work}, soloTime: {100 + n}ms}}}}\n"
        for n in range(count)
    )


def notebooks(count: int, sharing: str) -> str:
    """Different notebooks, all on one card, that compute now and then for a short time: any of them may do so at once."""
    return ONE_CARD.replace("horizon: 1h", "horizon: 9600h").replace("timeSlicing", sharing).replace(
        "1000", str(count)
    ) + "".join(
        f"  - {{name: w{n}, request: {{nvidia.com/gpu: 1}}, contextMemory: 1MiB, "
        f"job: {{kind: idle, busy: {{every: 3us, for: 1us}}, residency: 0.{500 + n}}}}}\n"
        for n in range(count)
    )


ONE_CARD = """\
format: 1
horizon: 1h
nodes:
  - name: g
    gpus: {model: b200-180gb, count: 1}
    config: "sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 1000}]}}"
workloads:
"""
PODS = "  - {{name: w, count: {}, arrival: {}, request: {{nvidia.com/gpu: 1}}}}\n"
COSTLY = {
    "different jobs at once": jobs(300, "0s"),
    "different jobs one by one": jobs(300, "{}s"),
    "notebooks in turns": notebooks(48, "timeSlicing"),
    "notebooks side by side": notebooks(48, "mps"),
    "Pods at once": ONE_CARD + PODS.format(200_000, "0s"),
    "a stream of Pods": ONE_CARD + PODS.format(200_000, "{poisson: 1000/s}"),
}


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", COSTLY.values(), ids=COSTLY.keys())
def test_a_run_that_would_cost_a_page_too_much_is_stopped(text: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        outcome(text, record_limit=PAGE_LIMIT)
    assert [problem.key for problem in caught.value.problems] == ["run-too-large"]


def test_pods_that_come_after_the_horizon_cost_nothing() -> None:
    late = outcome(ONE_CARD + PODS.format(100_000, "{every: 1h}"), record_limit=20)
    assert len(late.pods) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["a: [" + "a," * 499_000 + "a]", "k: 1\n" * 199_000, "[" + "[]," * 330_000 + "]"]
)
def test_a_dense_text_has_too_many_values(text: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        read(text)
    assert [problem.key for problem in caught.value.problems] == ["yaml-limit"]


def test_of_very_many_problems_the_first_are_told_and_the_others_counted() -> None:
    with pytest.raises(ProblemsError) as caught:
        read(HOSTILE["many unknown keys"])
    assert (len(caught.value.problems), caught.value.more) == (100, 20_000 - 100 + len(REQUIRED))


def outcome_or_problems(text: str) -> None:
    """Reads and runs a text; lets no exception but ProblemsError out, and that one renders."""
    problems = None
    try:
        outcome(text, record_limit=3000)
    except ProblemsError as error:
        problems = error.problems
    if problems is not None:
        assert problems
        assert problems_html(problems, builtin_library().messages["ko"], text)


@settings(max_examples=examples(150))
@given(st.text(max_size=200))
def test_any_text_is_a_scenario_or_has_problems(text: str) -> None:
    outcome_or_problems(text)


PIECES = st.sampled_from(
    [
        "",
        " ",
        "\n",
        "\n  ",
        ": ",
        "- ",
        "{",
        "}",
        "[",
        "]",
        "|",
        "&a ",
        "*a",
        "<<: ",
        "'",
        '"',
        "#",
        "~",
        "-1",
        "0",
        "99999999999999999999",
        "1e400",
        "true",
        "\t",
        "\x00",
        "\ud800",
        "日本",
        "é",
        "\u2028",
        "!!float ",
        "%",
        "---\n",
        "60000h",
        "5EiB",
    ]
)


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """The lab's scenario with some pieces of it replaced, moved or taken out."""
    text = STORY
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 1, 2, 5, 20, 80])))
        text = text[:start] + draw(PIECES) + text[end:]
    return text


@settings(max_examples=examples(300))
@given(mutations())
def test_any_slip_in_the_labs_scenario_runs_or_has_problems(text: str) -> None:
    outcome_or_problems(text)


@pytest.mark.parametrize("cut", range(0, len(STORY), 23))
def test_a_text_cut_anywhere_runs_or_has_problems(cut: int) -> None:
    outcome_or_problems(STORY[:cut])
