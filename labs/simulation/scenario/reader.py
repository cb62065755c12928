"""From the YAML of a sharing scenario to a `Scenario`, or every problem in it.

Format 1: design.md, "A sharing scenario".
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from fractions import Fraction

from labs.cluster.pod_phase import Phase
from labs.config.goyaml import Mapping, Node, Scalar, Sequence, merged
from labs.config.own import Fields, Problem, Problems, ProblemsError, Values, nearest, quoted, read_document
from labs.hardware.catalog import (
    CONTEXT_MEMORY_BYTES,
    DRIVER_RESERVE_FRACTION,
    Catalog,
    GpuModel,
    UnknownFigureError,
    UnknownGpuError,
    usable_memory_bytes,
)
from labs.hardware.units import SECOND_US
from labs.simulation.scenario.fault_reader import FaultReader
from labs.simulation.scenario.job_reader import JobReader
from labs.simulation.scenario.late_notes import late_entries, late_workloads
from labs.simulation.scenario.memory_reader import MAX_MEMORY, MAX_MEMORY_TEXT, MemoryReader
from labs.simulation.scenario.mig_config_reader import MigConfigReader
from labs.simulation.scenario.mig_reader import MigReader
from labs.simulation.scenario.notes import Subject
from labs.simulation.scenario.rollout import (
    MAX_NODES,
    SCENARIO_LIMITS,
    Rollout,
    is_alone,
    read_rollout_beside,
    refuse_mps,
)
from labs.simulation.scenario.scenario import (
    DEFAULT_TOLERATION_US,
    FORMAT,
    Detail,
    Expectation,
    Job,
    JobKind,
    MigShare,
    NodeSpec,
    OnFault,
    OnOom,
    RestartPolicy,
    Scenario,
    Workload,
)
from labs.simulation.scenario.workloads import Workloads, builtin_workloads

DAY_US = 86_400 * SECOND_US
MAX_HORIZON_US, MAX_HORIZON = 400 * DAY_US, "9600h"
MAX_CARDS, MAX_PODS, MAX_WORKLOADS = 16, 200_000, 1_000
MAX_UNITS = 10_000  # a run writes down every slot
NAMES_LISTED = 10  # in a message

TOP = (
    "format",
    "seed",
    "horizon",
    "nodes",
    "workloads",
    "expect",
    "contextMemory",
    "driverReserve",
    "faults",
    "migConfigs",
    "detail",
    "rollout",
)
NODE = ("name", "gpus", "config", "driverReserve", "mps")
GPUS = ("model", "count", "mig")
WORKLOAD = (
    "name",
    "count",
    "arrival",
    "request",
    "memory",
    "contextMemory",
    "job",
    "onOOM",
    "onFault",
    "restartPolicy",
    "tolerationSeconds",
)

NAME = re.compile(r"[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?")
RESOURCE = re.compile(r"([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")


def read_scenario(
    text: str, catalog: Catalog, workloads: Callable[[], Workloads] = builtin_workloads
) -> Scenario:
    """Reads the scenario; `workloads` is asked for the named ones where a job uses one.

    Raises ProblemsError with every problem found (one only where the text is not a single YAML document).
    """
    root = read_document(text, limits=SCENARIO_LIMITS)
    if root is None:
        raise ProblemsError((Problem("empty-scenario", 1, 1, {}),))
    if is_alone(root):
        raise ProblemsError((Problem("rollout-alone", 1, 1, {}),))
    return _ScenarioReader(catalog, workloads).read(root)


class _ScenarioReader:
    def __init__(self, catalog: Catalog, workloads: Callable[[], Workloads]) -> None:
        self._catalog = catalog
        self._named_workloads = workloads
        self._problems = Problems()
        self._values = Values(self._problems)
        self._node_names: dict[str, Node] = {}
        self._workload_names: dict[str, Node] = {}
        self._own_configs: list[Node] = []  # of nodes

    def read(self, root: Node) -> Scenario:
        fields = Fields(root, self._problems, where="scenario")
        self._values.version(fields.required("format"), FORMAT)
        seed = self._values.integer(fields.optional("seed"), "seed", 0, 2**53 - 1)
        horizon = self._duration(fields.required("horizon"), "horizon", 1, MAX_HORIZON_US)
        self._context = self._bytes(fields.optional("contextMemory"), "contextMemory")
        self._reserve = self._share(fields.optional("driverReserve"))
        rollout_node = fields.optional("rollout")
        self._has_rollout = rollout_node is not None
        nodes = self._nodes(fields.required("nodes"))
        workloads = self._workloads(fields.required("workloads"), seed if seed is not None else 1)
        detail = self._values.one_of(fields.optional("detail"), "detail", tuple(Detail))
        expect = self._expectation(fields.optional("expect"))
        named = {*self._node_names, *self._workload_names}
        configs_node = fields.optional("migConfigs")
        configs = MigConfigReader(self._values, nodes, named).read(configs_node)
        most = {
            config.node: max(len(other.mig) for other in configs if other.node == config.node)
            for config in configs
        }
        reader = FaultReader(self._values, nodes, workloads, named, most)
        faults_node = fields.optional("faults")
        faults = reader.read(faults_node)
        rollout = self._rollout(rollout_node, horizon or 1)
        fields.finish(TOP)
        self._problems.raise_if_any()
        assert horizon is not None
        late = (
            *late_entries(faults_node, Subject.FAULT, "kind", horizon),
            *late_entries(configs_node, Subject.MIG_CONFIG, "node", horizon),
            *late_workloads(workloads, self._workload_names, horizon),
        )
        return Scenario(
            seed=1 if seed is None else seed,
            horizon_us=horizon,
            nodes=nodes,
            workloads=workloads,
            expect=expect,
            faults=faults,
            detail=Detail(detail or Detail.RATES),
            mig_configs=configs,
            rollout=rollout,
            notes=tuple(sorted(late, key=lambda note: (note.line, note.column))),
        )

    def _rollout(self, node: Node | None, horizon_us: int) -> Rollout | None:
        """The rollout of the device plugin on the nodes."""
        if node is None:
            return None
        rollout = read_rollout_beside(node, self._problems, tuple(self._node_names), horizon_us)
        for config in self._own_configs if rollout is not None and rollout.has_configs else ():
            refuse_mps(config, self._problems)
        return rollout

    # Nodes

    def _nodes(self, node: Node | None) -> tuple[NodeSpec, ...]:
        specs = [self._node(item) for item in self._values.items(node, "nodes", MAX_NODES)]
        return tuple(spec for spec in specs if spec is not None)

    def _node(self, item: Node) -> NodeSpec | None:
        fields = Fields(item, self._problems, where="nodes")
        name = self._name(fields.required("name"), self._node_names)
        reserve = self._share(fields.optional("driverReserve"))
        config = fields.optional("config")
        text = self._values.text(config, "config")
        if config is not None and text is not None:
            self._own_configs.append(config)
        gpus = self._gpus(fields.required("gpus"), reserve if reserve is not None else self._reserve)
        threads = self._thread_percent(fields.optional("mps"))
        fields.finish(NODE, reserved=("labels", "taints"))
        if name is None or gpus is None:
            return None
        model, count, usable, mig = gpus
        return NodeSpec(name, model, count, text, _first_content_line(config), usable, mig, threads)

    def _thread_percent(self, node: Node | None) -> int | None:
        if node is None:
            return None
        fields = Fields(node, self._problems, where="mps")
        percent = fields.required("activeThreadPercentage")
        fields.finish()
        return self._values.integer(percent, "activeThreadPercentage", 1, 100)

    def _gpus(
        self, node: Node | None, reserve: Fraction | None
    ) -> tuple[GpuModel, int, int, tuple[MigShare, ...]] | None:
        if node is None:
            return None
        fields = Fields(node, self._problems, where="gpus")
        model_node = fields.required("model")
        model_id = self._values.text(model_node, "model")
        count = self._values.integer(fields.required("count"), "count", 1, MAX_CARDS)
        mig_node = fields.optional("mig")
        fields.finish(GPUS)
        if model_id is None or model_node is None:
            return None
        try:
            model = self._catalog.get(model_id)
            usable = usable_memory_bytes(model, DRIVER_RESERVE_FRACTION if reserve is None else reserve)
        except UnknownGpuError:
            self._unknown_gpu(model_node, model_id)
            return None
        except UnknownFigureError:
            self._problems.add("unknown-memory", model_node, value=model_id)
            return None
        mig = MigReader(self._values).read(mig_node, model)
        return None if count is None else (model, count, usable, mig)

    def _unknown_gpu(self, node: Node, model_id: str) -> None:
        near = ", ".join(self._catalog.suggest(model_id))
        allowed = ", ".join(self._catalog.ids)
        if near:
            self._problems.add("unknown-gpu-near", node, value=quoted(node), near=near, allowed=allowed)
        else:
            self._problems.add("unknown-gpu", node, value=quoted(node), allowed=allowed)

    # Workloads

    def _workloads(self, node: Node | None, seed: int) -> tuple[Workload, ...]:
        workloads: list[Workload] = []
        total = 0
        for item in self._values.items(node, "workloads", MAX_WORKLOADS):
            workload = self._workload(item, seed, MAX_PODS - total)
            if workload is not None:
                total += workload.count
                workloads.append(workload)
        return tuple(workloads)

    def _workload(self, item: Node, seed: int, room: int) -> Workload | None:
        fields = Fields(item, self._problems, where="workloads")
        name = self._name(fields.required("name"), self._workload_names)
        arrivals = self._arrivals(fields, f"{seed}:arrival/{name}", room)
        request = self._request(fields.required("request"))
        memory = MemoryReader(self._values, MAX_HORIZON_US, MAX_HORIZON).read(fields.optional("memory"))
        context = self._bytes(fields.optional("contextMemory"), "contextMemory")
        job = JobReader(self._values, self._named_workloads).read(fields.optional("job"))
        on_oom = self._values.one_of(fields.optional("onOOM"), "onOOM", tuple(OnOom))
        on_fault = self._values.one_of(fields.optional("onFault"), "onFault", tuple(OnFault))
        policy = self._values.one_of(fields.optional("restartPolicy"), "restartPolicy", tuple(RestartPolicy))
        toleration = self._toleration(fields.optional("tolerationSeconds"))
        fields.finish(WORKLOAD, reserved=("nodeSelector", "tolerations", "node"))
        if name is None or arrivals is None or job is None or not request:
            return None
        return Workload(
            name=name,
            arrivals_us=arrivals,
            request=request,
            memory=memory,
            context_bytes=_first(context, self._context, CONTEXT_MEMORY_BYTES),
            job=job,
            on_oom=OnOom(on_oom or OnOom.EXIT),
            restart_policy=RestartPolicy(policy or _default_policy(job)),
            on_fault=OnFault(on_fault or OnFault.EXIT),
            tolerates_us=DEFAULT_TOLERATION_US if toleration is None else toleration * SECOND_US,
        )

    def _toleration(self, node: Node | None) -> int | None:
        """How many seconds the Pods stay on an unreachable node, which only a rollout has."""
        if node is not None and not self._has_rollout:
            self._problems.add("without-rollout", node, key="tolerationSeconds")
        return self._values.integer(node, "tolerationSeconds", 0, MAX_HORIZON_US // SECOND_US)

    def _arrivals(self, fields: Fields, stream: str, room: int) -> tuple[int, ...] | None:
        """When the Pods are created: `arrival` and `count`, in microseconds, ascending."""
        arrival, count_node = fields.optional("arrival"), fields.optional("count")
        count = self._values.integer(count_node, "count", 1, max(1, room))
        times = self._times(arrival, count_node, count, stream, room)
        return None if count_node is not None and count is None else times

    def _times(
        self, arrival: Node | None, count_node: Node | None, count: int | None, stream: str, room: int
    ) -> tuple[int, ...] | None:
        if isinstance(arrival, Sequence):
            times = [
                self._duration(item, "arrival", 0, MAX_HORIZON_US)
                for item in self._values.items(arrival, "arrival", max(1, room))
            ]
            if count is not None and count != len(times):
                self._problems.add("count-differs", count_node or arrival, found=count, times=len(times))
            return tuple(sorted(time for time in times if time is not None)) or None
        if isinstance(arrival, Mapping):
            return self._stream_of_arrivals(arrival, count or 1, stream)
        time = 0 if arrival is None else self._duration(arrival, "arrival", 0, MAX_HORIZON_US)
        return None if time is None else (time,) * (count or 1)

    def _stream_of_arrivals(self, node: Mapping, count: int, stream: str) -> tuple[int, ...] | None:
        fields = Fields(node, self._problems, where="arrival")
        every_node, poisson_node = fields.optional("every"), fields.optional("poisson")
        fields.finish()
        if (every_node is None) == (poisson_node is None):
            self._problems.add("one-of-two", node, first="every", second="poisson")
            return None
        if every_node is not None:
            every = self._duration(every_node, "every", 0, MAX_HORIZON_US)
            return None if every is None else tuple(every * index for index in range(count))
        rate = self._values.rate(poisson_node, "poisson", 1_000_000)
        return None if rate is None else _poisson(count, float(rate), random.Random(stream))

    def _request(self, node: Node | None) -> tuple[tuple[str, int], ...]:
        if node is None:
            return ()
        Fields(node, self._problems, where="request")  # what is no map, and keys that stand twice
        request: list[tuple[str, int]] = []
        entries = merged(node) if isinstance(node, Mapping) else ()
        if isinstance(node, Mapping) and not entries:
            self._problems.add("empty-request", node)
        for entry in entries:
            resource = entry.name or ""
            if not RESOURCE.fullmatch(resource) or "/" not in resource or len(resource) > 316:
                self._problems.add("bad-resource-name", entry.key, value=quoted(entry.key))
                continue
            units = self._values.integer(entry.value, resource, 1, MAX_UNITS)
            if units is not None:
                request.append((resource, units))
        return tuple(dict(request).items())

    # Expectation

    def _expectation(self, node: Node | None) -> Expectation | None:
        if node is None:
            return None
        fields = Fields(node, self._problems, where="expect")
        oom = self._values.integer(fields.optional("oom"), "oom", 0, MAX_PODS)
        pods = fields.optional("pods")
        fields.finish()
        phases: list[tuple[str, str]] = []
        if pods is not None:
            Fields(pods, self._problems, where="pods")  # what is no map, and keys that stand twice
            for entry in merged(pods) if isinstance(pods, Mapping) else ():
                name = entry.name or ""
                phase = self._values.one_of(entry.value, name, tuple(Phase))
                if not self._workload_names:
                    continue  # that there are none is a problem of its own
                if name not in self._workload_names:
                    known = sorted(self._workload_names)
                    near = nearest(name, known) or ", ".join(known[:NAMES_LISTED])
                    self._problems.add("unknown-workload", entry.key, value=quoted(entry.key), near=near)
                elif phase is not None:
                    phases.append((name, phase))
        return Expectation(oom, tuple(phases))

    # Single values

    def _name(self, node: Node | None, taken: dict[str, Node]) -> str | None:
        name = self._values.text(node, "name")
        if name is None or node is None:
            return None
        if not NAME.fullmatch(name):
            self._problems.add("bad-name", node, value=quoted(node))
            return None
        if name in taken:
            self._problems.add("duplicate-name", node, value=name, line=taken[name].span.start.line)
            return None
        taken[name] = node
        return name

    def _duration(self, node: Node | None, key: str, minimum_us: int, maximum_us: int) -> int | None:
        minimum = "0s" if minimum_us == 0 else "1us"
        return self._values.duration_us(node, key, minimum_us, maximum_us, minimum, MAX_HORIZON)

    def _bytes(self, node: Node | None, key: str) -> int | None:
        return self._values.bytes(node, key, MAX_MEMORY, MAX_MEMORY_TEXT)

    def _share(self, node: Node | None) -> Fraction | None:
        return self._values.share(node, "driverReserve", Fraction(0), Fraction(9, 10))


def _poisson(count: int, rate: float, draw: random.Random) -> tuple[int, ...]:
    """Arrival times of a Poisson stream; each gap is rounded to a microsecond when drawn."""
    times: list[int] = []
    now = 0
    for _ in range(count):
        now = min(now + round(-math.log(1.0 - draw.random()) / rate * SECOND_US), MAX_HORIZON_US)
        times.append(now)
    return tuple(times)


def _first_content_line(config: Node | None) -> int:
    """The 1-based line on which the config's own first line stands."""
    if config is None:
        return 0
    block = isinstance(config, Scalar) and config.style in ("literal", "folded")
    return config.span.start.line + (1 if block else 0)


def _default_policy(job: Job) -> RestartPolicy:
    return RestartPolicy.NEVER if job.kind is JobKind.TRAINING else RestartPolicy.ALWAYS


def _first(*values: int | None) -> int:
    return next(value for value in values if value is not None)
