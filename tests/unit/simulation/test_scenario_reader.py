"""The scenario reader: every problem it can find, its place, and its sentence in every language."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from labs.config.own.problem import Problem, ProblemsError
from labs.hardware.catalog.memory import CONTEXT_MEMORY_BYTES
from labs.library import LANGUAGES, builtin_library
from labs.report.writing.problems import problem_words
from labs.simulation.scenario.scenario import Job, JobKind, MemoryStep, OnOom, RestartPolicy, Scenario
from tests.unit.scenarios import GIB, GPU, MIB, SECOND, STORY, node, outcome, pods, read, scenario

TOP = """\
format: 1
horizon: 1m
"""
NODES = """\
nodes:
  - {name: g, gpus: {model: a100-40gb, count: 2}}
"""
WORK = """\
workloads:
  - {name: w, request: {nvidia.com/gpu: 1}}
"""
SOURCES = (
    "config/own/fields.py",
    "config/own/text.py",
    "simulation/scenario/reader.py",
    "simulation/scenario/job_reader.py",
    "simulation/scenario/memory_reader.py",
    "simulation/scenario/mig_reader.py",
    "simulation/scenario/mig_config_reader.py",
    "simulation/scenario/fault_reader.py",
    "simulation/outcome/evaluate.py",
)


def test_readers_know_nothing_of_what_comes_of_a_run() -> None:
    """A scenario is read before there is a run: nothing that tells of one is imported, by whatever detour."""
    script = "import sys, labs.simulation.scenario.reader; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    ours = {name for name in loaded.stdout.split() if name.startswith("labs.simulation.")}
    assert "labs.simulation.scenario.reader" in ours
    assert {name.split(".")[2] for name in ours} == {"scenario"}


def problems(text: str) -> list[Problem]:
    with pytest.raises(ProblemsError) as caught:
        read(text)
    return list(caught.value.problems)


def found(text: str) -> list[tuple[str, str]]:
    """`line:column` and key of all problems."""
    return [(f"{each.line}:{each.column}", each.key) for each in problems(text)]


def workload(rest: str) -> str:
    """A scenario with a workload of three lines before `rest`, which begins on line 8."""
    return TOP + NODES + "workloads:\n  - name: w\n    request: {nvidia.com/gpu: 1}\n" + rest


def faults(item: str) -> str:
    """A scenario with one fault, on line 7."""
    return TOP + NODES + WORK + f"faults: [{item}]\n"


def gpus(text: str) -> str:
    """A scenario whose node has these GPUs, on line 4."""
    return TOP + f"nodes:\n  - {{name: g, gpus: {text}}}\n" + WORK


# (problem key, text, expected place); each text has just this one problem
CASES: list[tuple[str, str, str]] = [
    ("no-such-workload", workload("    job: {use: zzz}"), "8:16"),
    ("no-such-workload-near", workload("    job: {use: yolos-small}"), "8:16"),
    ("workload-of-other-kind", workload("    job: {kind: idle, use: yolos-small-a100-80gb}"), "8:28"),
    ("yaml", "format: [1", "1:11"),
    ("yaml", "a: b: c", "1:5"),
    ("yaml-limit", "a: " + "[" * 50 + "]" * 50, "1:43"),
    ("second-document", "format: 1\n---\nhorizon: 1m\n", "3:1"),
    ("empty-scenario", "", "1:1"),
    ("empty-scenario", "# nothing but a comment\n", "1:1"),
    ("wrong-type", "- format: 1", "1:1"),
    ("wrong-type", "just text", "1:1"),
    ("missing-key", "horizon: 1m\n" + NODES + WORK, "1:1"),
    ("missing-key", "format: 1\n" + NODES + WORK, "1:1"),
    ("missing-key", TOP + WORK, "1:1"),
    ("missing-key", TOP + NODES, "1:1"),
    ("missing-key", TOP + NODES + "workloads:\n" + WORK[11:].replace("name: w, ", ""), "6:5"),
    ("missing-key", TOP + "nodes:\n  - name: g\n" + WORK, "4:5"),
    ("missing-key", gpus("{count: 1}"), "4:21"),
    ("missing-key", gpus("{model: a100-40gb}"), "4:21"),
    ("missing-key", workload("    memory: [{at: 0s}]\n"), "8:14"),
    ("missing-key", workload("    job: {kind: training, soloTime: 1s}\n"), "8:10"),
    ("missing-key", workload("    job: {kind: service}\n"), "8:10"),
    ("missing-key", workload("    job: {soloTime: 1s}\n").replace("soloTime: 1s", ""), "8:10"),
    ("unknown-format", "format: one\nhorizon: 1m\n" + NODES + WORK, "1:9"),
    ("unknown-format", "format: '1'\nhorizon: 1m\n" + NODES + WORK, "1:9"),
    ("not-a-whole-number", workload("    count: 1.5\n"), "8:12"),
    ("not-a-whole-number", workload("    count: true\n"), "8:12"),
    ("not-a-whole-number", TOP + NODES + "workloads:\n  - {name: w, request: {nvidia.com/gpu: }}\n", "6:41"),
    ("unknown-format", "format: 2\nhorizon: 1m\n" + NODES + WORK, "1:9"),
    ("out-of-range", TOP + "seed: -1\n" + NODES + WORK, "3:7"),
    ("out-of-range", workload("    count: 0\n"), "8:12"),
    ("out-of-range", workload("    count: 200001\n"), "8:12"),
    ("out-of-range", gpus("{model: a100-40gb, count: 17}"), "4:47"),
    ("out-of-range", gpus("{model: a100-40gb, count: 0}"), "4:47"),
    ("out-of-range", "format: 1\nhorizon: 0s\n" + NODES + WORK, "2:10"),
    ("out-of-range", "format: 1\nhorizon: 9601h\n" + NODES + WORK, "2:10"),
    ("out-of-range", workload("    memory: 2048TiB\n"), "8:13"),
    ("out-of-range", workload("    arrival: {poisson: 0/s}\n"), "8:24"),
    ("out-of-range", workload("    job: {kind: service, soloTime: 0ms}\n"), "8:36"),
    ("out-of-range", workload("    job: {kind: service, soloTime: 1ms, residency: 1.1}\n"), "8:52"),
    ("out-of-range", TOP + "driverReserve: 95%\n" + NODES + WORK, "3:16"),
    ("bad-duration", "format: 1\nhorizon: 10\n" + NODES + WORK, "2:10"),
    ("bad-duration", "format: 1\nhorizon: ten minutes\n" + NODES + WORK, "2:10"),
    ("bad-duration", "format: 1\nhorizon: [1m]\n" + NODES + WORK, "2:10"),
    ("bad-duration", workload("    arrival: [1s, soon]\n"), "8:19"),
    ("bad-duration", workload("    arrival: [1s, ]\n").replace("1s, ", "~"), "8:15"),
    ("bad-quantity", workload("    memory: 6 gigs\n"), "8:13"),
    ("bad-quantity", workload("    memory: -1GiB\n"), "8:13"),
    ("bad-quantity", workload("    contextMemory: {a: 1}\n"), "8:20"),
    ("bad-rate", workload("    arrival: {poisson: 3}\n"), "8:24"),
    ("bad-rate", workload("    job: {kind: service, soloTime: 1ms, rate: 2/y}\n"), "8:47"),
    ("bad-share", TOP + "driverReserve: little\n" + NODES + WORK, "3:16"),
    ("bad-share", workload("    job: {kind: service, soloTime: 1ms, demand: half}\n"), "8:49"),
    ("not-one-of", workload("    onOOM: die\n"), "8:12"),
    ("not-one-of", workload("    restartPolicy: always\n"), "8:20"),
    ("not-one-of", workload("    job: {kind: batch}\n"), "8:17"),
    ("not-one-of", TOP + NODES + WORK + "expect: {pods: {w: Evicted}}\n", "7:20"),
    ("not-one-of", TOP + NODES + WORK + "expect: {pods: {w: }}\n", "7:20"),
    ("unknown-key-near", TOP + "sead: 1\n" + NODES + WORK, "3:1"),
    ("unknown-key-near", workload("    on_oom: exit\n"), "8:5"),
    ("unknown-key-near", workload("    job: {kind: service, solotime: 1s, soloTime: 1s}\n"), "8:26"),
    ("unknown-key", TOP + "quiz: red\n" + NODES + WORK, "3:1"),
    ("unknown-key", workload("    job: {kind: idle, iterations: 5}\n"), "8:23"),
    ("unknown-key", workload("    y: 1\n"), "8:5"),
    ("not-one-of", TOP + "detail: request\n" + NODES + WORK, "3:9"),
    ("unknown-pod", faults("{at: 1s, pod: w-1, kind: process}"), "7:24"),
    ("unknown-gpu-node", faults("{at: 1s, node: m, gpu: 0, kind: xid-reset}"), "7:25"),
    ("no-mig-devices", faults("{at: 1s, node: g, gpu: 0, mig: 0, kind: instance-fault}"), "7:41"),
    ("missing-key", faults("{at: 1s, kind: process}"), "7:10"),
    (
        "mig-configs-close",
        TOP + NODES + WORK + "migConfigs:\n- {at: 1s, node: g, mig: []}\n- {at: 60s, node: g, mig: []}\n",
        "9:3",
    ),
    ("without-rollout", workload("    tolerationSeconds: 5\n"), "8:24"),
    ("rollout-alone", "format: 1\nrollout: {nodes: 2}\n", "1:1"),
    ("reserved-key", workload("    nodeSelector: {a: b}\n"), "8:5"),
    ("reserved-key", TOP + NODES.replace("}}", "}, taints: []}") + WORK, "4:51"),
    ("duplicate-key", TOP + "horizon: 2m\n" + NODES + WORK, "3:1"),
    ("duplicate-key", TOP + NODES + WORK.replace("1}}", "1, nvidia.com/gpu: 2}}"), "6:44"),
    ("wrong-type", TOP + "nodes: {name: g}\n" + WORK, "3:8"),
    ("wrong-type", TOP + "nodes: [n]\n" + WORK, "3:9"),
    ("wrong-type", gpus("4"), "4:21"),
    ("needs-quotes", TOP + NODES + "workloads:\n  - {name: 7, request: {nvidia.com/gpu: 1}}\n", "6:12"),
    ("needs-quotes", TOP + NODES + "workloads:\n  - {name: no, request: {nvidia.com/gpu: 1}}\n", "6:12"),
    ("wrong-type", TOP + NODES.replace("}}", "}, config: {version: v1}}") + WORK, "4:59"),
    ("wrong-type", TOP + NODES + "workloads:\n  - {name: w, request: 1}\n", "6:24"),
    ("wrong-type", workload("    ? [a]\n    : 1\n"), "8:7"),
    ("wrong-type", TOP + NODES + WORK + "expect: 4\n", "7:9"),
    ("list-length", TOP + "nodes: []\n" + WORK, "3:8"),
    ("list-length", workload("    memory: []\n"), "8:13"),
    ("list-length", workload("    arrival: []\n"), "8:14"),
    ("list-length", TOP + "nodes: [" + "{}, " * 5001 + "]\n" + WORK, "3:8"),
    ("bad-name", TOP + NODES.replace("name: g", "name: GPU_1") + WORK, "4:12"),
    ("bad-name", TOP + NODES.replace("name: g", f"name: {'n' * 64}") + WORK, "4:12"),
    ("bad-name", TOP + NODES.replace("name: g", "name: ノード") + WORK, "4:12"),
    ("duplicate-name", TOP + NODES + WORK + WORK[11:], "7:12"),
    ("duplicate-name", TOP + NODES + NODES[7:] + WORK, "5:12"),
    ("bad-resource-name", TOP + NODES + "workloads:\n  - {name: w, request: {gpu: 1}}\n", "6:25"),
    ("bad-resource-name", TOP + NODES + "workloads:\n  - {name: w, request: {nvidia.com/: 1}}\n", "6:25"),
    ("empty-request", TOP + NODES + "workloads:\n  - {name: w, request: {}}\n", "6:24"),
    ("count-differs", workload("    count: 3\n    arrival: [1s, 2s]\n"), "8:12"),
    ("one-of-two", workload("    arrival: {}\n"), "8:14"),
    ("one-of-two", workload("    arrival: {every: 1s, poisson: 1/s}\n"), "8:14"),
    ("one-of-two", workload("    job: {kind: service, soloTime: 1ms, rate: 1/s, clients: 2}\n"), "8:10"),
    ("not-ascending", workload("    memory: [{at: 1s, set: 1GiB}, {at: 1s, set: 2GiB}]\n"), "8:40"),
    ("missing-key", workload("    memory: {needs: 1GiB}\n"), "8:13"),
    ("missing-key", workload("    memory: {takes: 90%}\n"), "8:13"),
    ("unknown-key", workload("    memory: {needs: 1GiB, takes: 90%, set: 2GiB}\n"), "8:39"),
    ("one-of-two", workload("    memory: [{at: 0s, set: 1GiB, needs: 1GiB, takes: 2GiB}]\n"), "8:14"),
    ("bad-takes", workload("    memory: {needs: 1GiB, takes: most}\n"), "8:34"),
    ("bad-takes", workload("    memory: {needs: 1GiB, takes: [1GiB]}\n"), "8:34"),
    ("bad-share", workload("    memory: {needs: 1GiB, takes: x%}\n"), "8:34"),
    ("bad-cores", workload("    job: {kind: service, soloTime: 1ms, cpus: two}\n"), "8:47"),
    ("out-of-range", workload("    memory: {needs: 1GiB, takes: 101%}\n"), "8:34"),
    ("out-of-range", workload("    memory: {needs: 1GiB, takes: 2048TiB}\n"), "8:34"),
    ("takes-under-needs", workload("    memory: {needs: 2GiB, takes: 1GiB}\n"), "8:34"),
    ("missing-key", workload("    job: {kind: idle, busy: {every: 1m}}\n"), "8:29"),
    ("wrong-type", workload("    job: {kind: idle, busy: often}\n"), "8:29"),
    ("out-of-range", workload("    job: {kind: idle, busy: {every: 1m, for: 0s}}\n"), "8:46"),
    ("busy-over-every", workload("    job: {kind: idle, busy: {every: 1m, for: 61s}}\n"), "8:46"),
    ("unknown-key", workload("    job: {kind: idle, residency: 0.5}\n"), "8:23"),
    ("unknown-key", workload("    job: {kind: training, soloTime: 1s, iterations: 1, busy: {}}\n"), "8:56"),
    (
        "demand-over-residency",
        workload("    job: {kind: idle, busy: {every: 1m, for: 1s}, residency: 0.4, demand: 0.5}\n"),
        "8:75",
    ),
    (
        "demand-over-residency",
        workload("    job: {kind: service, soloTime: 1ms, residency: 0.4, demand: 0.5}\n"),
        "8:65",
    ),
    ("unknown-workload", TOP + NODES + WORK + "expect: {pods: {v: Running}}\n", "7:17"),
    ("unknown-gpu-near", gpus("{model: a100, count: 1}"), "4:29"),
    ("unknown-gpu", gpus("{model: zx81, count: 1}"), "4:29"),
    ("unknown-memory", gpus("{model: h200-141gb, count: 1}"), "4:29"),
    ("mig-none", gpus("{model: t4-16gb, count: 1, mig: [1g.5gb]}"), "4:53"),
    ("mig-profile", gpus("{model: a100-40gb, count: 1, mig: [small]}"), "4:56"),
    ("mig-profile-near", gpus("{model: a100-40gb, count: 1, mig: [3g.20gb, 1g5gb]}"), "4:65"),
    ("mig-no-room", gpus("{model: a100-40gb, count: 1, mig: [3g.20gb, 3g.20gb, 1g.5gb]}"), "4:55"),
    ("mig-unknown-figure", gpus("{model: h100-80gb-pcie, count: 1, mig: [1g.20gb]}"), "4:61"),
]


@pytest.mark.parametrize(("key", "text", "place"), CASES)
def test_a_problem_is_found_at_its_place(key: str, text: str, place: str) -> None:
    only = found(text)
    if key == "list-length" and "{}" in text:
        only = only[:1]
    assert only == [(place, key)]


@pytest.mark.parametrize("key", ["faults", "migConfigs"])
def test_an_empty_list_is_as_good_as_none_where_none_is_needed(key: str) -> None:
    plain = read(TOP + NODES + WORK)
    assert read(TOP + NODES + WORK + f"{key}: []\n") == plain


def test_the_table_has_every_problem_that_the_readers_can_find() -> None:
    package = Path(__file__).parents[3] / "labs"
    code = "".join((package / source).read_text("utf-8") for source in SOURCES)
    names = set(re.findall(r'(?:\.add\(\s*|Problem\(|code = | else |, )"([a-z]+(?:-[a-z]+)+)"', code))
    elsewhere = {
        "run-too-large",
        "config-too-large",
        "too-many-requests",
        "rollout-refused",
        "no-rollout",
    }  # test_outcome.py, test_requests.py, test_rollout_sharing.py, test_rollout.py
    assert names - elsewhere - {"unknown-key-near"} <= {key for key, *_ in CASES}
    assert {key for key, *_ in CASES} <= names | {"yaml", "yaml-limit", "unknown-key-near", "unknown-key"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", [text for _, text, _ in CASES])
def test_every_problem_is_a_sentence_with_a_remedy(text: str, language: str) -> None:
    messages = builtin_library().messages[language]
    for problem in problems(text):
        what, remedy = problem_words(problem, messages)
        assert what.strip()
        assert remedy.strip()
        assert not re.search(r"\{[a-z]+\}", what + remedy)


def test_all_problems_of_a_text_are_told_in_its_order() -> None:
    text = """\
format: 3
horizont: 5m
nodes:
  - name: Bad Name
    gpus: {model: a1000, count: 99, mig: [1g.5gb]}
workloads:
  - name: a
    count: none
    arrival: soon
    request: {gpu: 1}
    memory: lots
    job: {kind: training, soloTime: 0s, iterations: 0, residency: 2, rate: 1/s}
    onOOM: maybe
expect: {oom: many, pods: {a: Gone, c: Running}}
"""
    assert found(text) == [
        ("1:9", "unknown-format"),
        ("2:1", "unknown-key-near"),
        ("4:11", "bad-name"),
        ("5:19", "unknown-gpu-near"),
        ("5:33", "out-of-range"),
        ("8:12", "not-a-whole-number"),
        ("9:14", "bad-duration"),
        ("10:15", "bad-resource-name"),
        ("11:13", "bad-quantity"),
        ("12:37", "out-of-range"),
        ("12:53", "out-of-range"),
        ("12:67", "out-of-range"),
        ("12:70", "unknown-key"),
        ("13:12", "not-one-of"),
        ("14:15", "not-a-whole-number"),
        ("14:31", "not-one-of"),
        ("14:37", "unknown-workload"),
    ]


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("workload", "workloads"),
        ("Horizon", "horizon"),
        ("context_memory", "contextMemory"),
        ("driver-reserve", "driverReserve"),
        ("expects", "expect"),
    ],
)
def test_an_unknown_key_suggests_the_nearest_known_one(key: str, near: str) -> None:
    (problem,) = problems(TOP + NODES + WORK + f"{key}: 1\n")
    assert problem.values["near"] == near


def test_a_problem_behind_an_alias_is_told_where_the_alias_stands() -> None:
    text = TOP + "seed: &s 5\n" + NODES + WORK.replace("1}}", "1}, memory: *s, count: *s, job: *s}")
    assert found(text) == [("7:73", "wrong-type")]


def test_values_that_a_message_quotes_are_cut() -> None:
    (problem,) = problems("format: 1\nhorizon: " + "x" * 5000 + "\n" + NODES + WORK)
    assert problem.values["value"] == "x" * 80 + "…"


def test_at_most_a_hundred_problems_are_told() -> None:
    assert len(found(TOP + NODES + "workloads:\n" + "  - {}\n" * 900)) == 100


def test_columns_count_code_points() -> None:
    assert found(TOP + NODES + WORK.replace("name: w", '"name": "𝟛日本"'))[0] == ("6:14", "bad-name")


# What a text means


def read_workload(rest: str) -> Scenario:
    return read(workload(rest))


def test_defaults() -> None:
    result = read(TOP + NODES + WORK)
    (only,) = result.workloads
    (its_node,) = result.nodes
    assert (result.seed, result.horizon_us, result.expect) == (1, 60 * SECOND, None)
    assert (only.count, only.arrivals_us, only.request) == (1, (0,), ((GPU, 1),))
    assert (only.memory, only.context_bytes) == ((), CONTEXT_MEMORY_BYTES)
    assert only.job == Job(JobKind.IDLE)
    assert (only.on_oom, only.restart_policy) == (OnOom.EXIT, RestartPolicy.ALWAYS)
    assert (its_node.config, its_node.usable_bytes) == (None, 40960 * MIB * 98 // 100)


@pytest.mark.parametrize(
    ("rest", "arrivals"),
    [
        ("    arrival: 5s\n", [5]),
        ("    count: 3\n    arrival: 5s\n", [5, 5, 5]),
        ("    count: 3\n    arrival: {every: 30s}\n", [0, 30, 60]),
        ("    arrival: [9s, 1s, 5s]\n", [1, 5, 9]),
        ("    count: 2\n    arrival: [1s, 2s]\n", [1, 2]),
        ("    count: 2\n    arrival: {every: 0s}\n", [0, 0]),
    ],
)
def test_when_pods_arrive(rest: str, arrivals: list[int]) -> None:
    assert read_workload(rest).workloads[0].arrivals_us == tuple(time * SECOND for time in arrivals)


@pytest.mark.parametrize(
    ("job", "expected"),
    [
        ("{kind: idle}", Job(JobKind.IDLE)),
        (
            "{kind: service, soloTime: 88ms}",
            Job(JobKind.SERVICE, 88_000, 1.0, 1.0, 0.0, clients=1),
        ),
        (
            "{kind: service, soloTime: 88ms, residency: 90%, demand: 0.44, rate: 2/s}",
            Job(JobKind.SERVICE, 88_000, 0.9, 0.44, 0.0, rate_per_s=2.0),
        ),
        (
            "{kind: training, soloTime: 120ms, iterations: 1000, residency: 0.9, demand: 0.6, overlap: 0.25}",
            Job(JobKind.TRAINING, 120_000, 0.9, 0.6, 0.25, iterations=1000),
        ),
        (
            "{kind: training, soloTime: 1s, iterations: 1}",
            Job(JobKind.TRAINING, 1_000_000, 1.0, 1.0, 0.5, iterations=1),
        ),
        (
            "{kind: service, soloTime: 1s, residency: 0.3}",
            Job(JobKind.SERVICE, 1_000_000, 0.3, 0.3, 0.0, clients=1),
        ),
    ],
)
def test_jobs(job: str, expected: Job) -> None:
    assert read_workload(f"    job: {job}\n").workloads[0].job == expected


def test_training_is_not_restarted_unless_it_says_so() -> None:
    job = "    job: {kind: training, soloTime: 1s, iterations: 1}\n"
    assert read_workload(job).workloads[0].restart_policy is RestartPolicy.NEVER
    always = read_workload(job + "    restartPolicy: Always\n")
    assert always.workloads[0].restart_policy is RestartPolicy.ALWAYS


def test_memory_over_time() -> None:
    steps = read_workload("    memory: [{at: 0s, set: 1Gi}, {at: 90s, set: 2GiB}]\n").workloads[0].memory
    assert steps == (MemoryStep(0, GIB), MemoryStep(90 * SECOND, 2 * GIB))


def test_the_nearest_context_and_reserve_count() -> None:
    text = scenario(
        [node("a"), node("b", driverReserve="10%")],
        [pods("x"), pods("y", contextMemory="1GiB")],
        contextMemory="500MiB",
        driverReserve="5%",
    )
    result = read(text)
    assert [each.usable_bytes for each in result.nodes] == [
        40960 * MIB * 95 // 100,
        40960 * MIB * 90 // 100,
    ]
    assert [each.context_bytes for each in result.workloads] == [500 * MIB, GIB]


def test_the_config_is_kept_to_the_letter_with_its_line() -> None:
    (only,) = read(STORY).nodes
    assert only.config is not None
    assert only.config.splitlines()[0] == STORY.splitlines()[only.config_line - 1].strip()


@pytest.mark.parametrize("name", ["y", "no", "on", "null", "1.0", "0x10", "123", "2024-01-01"])
def test_names_that_yaml_takes_for_something_else_work_in_quotes(name: str) -> None:
    text = scenario([node(name)], [pods(name)], expect={"pods": {name: "Running"}})
    result = outcome(text)
    assert [each.name for each in result.pods] == [f"{name}-0"]
    assert result.differences == ()


@pytest.mark.parametrize("key", ["y", "no", "on", "off", "true"])
def test_a_plain_key_that_yaml_takes_for_a_boolean_is_a_name(key: str) -> None:
    text = TOP + NODES + WORK.replace("name: w", f"name: '{key}'") + f"expect: {{pods: {{{key}: Running}}}}\n"
    assert outcome(text).differences == ()


def test_anchors_aliases_and_merges_are_followed() -> None:
    text = (
        TOP
        + NODES
        + "workloads:\n  - &one\n    name: a\n    request: &gpu {nvidia.com/gpu: 1}\n    memory: 1GiB\n"
        + "  - {<<: *one, name: b, request: {<<: *gpu}}\n"
    )
    first, second = read(text).workloads
    assert (second.name, second.request, second.memory) == ("b", first.request, first.memory)


def test_a_second_document_is_not_left_out_in_silence() -> None:
    lines = STORY.count("\n") + 1
    assert found(STORY + "---\nnot: a scenario\n") == [(f"{lines + 1}:1", "second-document")]
    assert read(STORY + "---\n") == read(STORY)


def test_a_declared_workload_with_a_problem_is_not_unknown_to_the_expectation() -> None:
    text = TOP + NODES + "workloads:\n  - {name: w, request: {gpu: 1}}\nexpect: {pods: {w: Running}}\n"
    assert found(text) == [("6:25", "bad-resource-name")]


def test_an_unknown_workload_is_told_with_those_there_are() -> None:
    (problem,) = problems(TOP + NODES + WORK + "expect: {pods: {zzz: Running}}\n")
    assert problem.values["near"] == "w"


def test_a_key_that_is_misspelt_is_not_missing_as_well_nor_what_it_holds_unknown() -> None:
    events = "expect: {pods: {w: Running}}\nfaults: [{at: 1s, pod: w-0, kind: process}]\n"
    assert found(TOP + NODES + WORK.replace("workloads", "workload") + events) == [
        ("5:1", "unknown-key-near")
    ]
    at_node = "faults: [{at: 1s, node: g, gpu: 0, kind: card-lost}]\n"
    assert found(TOP + NODES.replace("nodes", "node") + WORK + at_node) == [("3:1", "unknown-key-near")]
