"""Reads `job:` of a workload: what its Pods do once they have their memory.

`use` names a workload of the library (`workloads.py`), whose figures stand wherever the job gives none itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from labs.config.goyaml import Mapping, Node
from labs.config.own import Fields, Values, nearest, quoted
from labs.simulation.scenario.scenario import Busy, Job, JobKind
from labs.simulation.scenario.workloads import NamedWorkload, Workloads, builtin_workloads

MAX_SOLO_US, MAX_SOLO = 86_400_000_000, "24h"
MAX_ITERATIONS = 10**12
MAX_RATE = 1_000_000
MAX_CLIENTS = 64
LEAST_CPUS, MAX_CPUS = Fraction(1, 100), 1024
TRAINING_OVERLAP = Fraction(1, 2)  # asynchronous training, between the two laws (see time_slicing.py)

SHARES = ("residency", "demand", "overlap")
CPU = ("cpus", "cpuLimit")
KEYS = {
    JobKind.IDLE: ("kind", "busy"),
    JobKind.SERVICE: ("kind", "use", "soloTime", *SHARES, "rate", "clients", *CPU),
    JobKind.TRAINING: ("kind", "use", "soloTime", "iterations", *SHARES, *CPU),
}
BUSY_KEYS = (*KEYS[JobKind.IDLE], *SHARES, *CPU)


class JobReader:
    """Reads one job; without any, the Pod is idle. `library` is asked for the named workloads where one is used."""

    def __init__(self, values: Values, library: Callable[[], Workloads] = builtin_workloads) -> None:
        self._values = values
        self._library = library

    def read(self, node: Node | None) -> Job | None:
        """The job, or None where there were problems with it."""
        if node is None:
            return Job(JobKind.IDLE)
        fields = Fields(node, self._values.problems, where="job")
        use = fields.optional("use")
        named = self._named(use)
        if use is not None and named is None:
            return None
        kind = self._kind(fields, named)
        if kind is None:
            return None
        if use is not None and named is not None and named.job.kind is not kind:
            values = {"value": quoted(use), "kind": str(named.job.kind)}
            self._values.problems.add("workload-of-other-kind", use, **values)
            return None
        busy = fields.optional("busy") if kind is JobKind.IDLE else None
        if busy is not None:
            job = self._now_and_then(busy, fields)
        else:
            job = Job(kind) if kind is JobKind.IDLE else self._work(kind, fields, node, named)
        if job is not None and (kind is not JobKind.IDLE or busy is not None):
            job = self._with_cpu_budget(job, fields)
        fields.finish(KEYS[kind] if busy is None else BUSY_KEYS)
        return job

    def _with_cpu_budget(self, job: Job, fields: Fields) -> Job:
        """The job with the cores that its host part keeps busy, and those of its Pod's limit."""
        limit_node = fields.optional("cpuLimit")
        cpus_node = fields.optional("cpus") if limit_node is None else fields.required("cpus")
        cpus = self._values.cores(cpus_node, "cpus", LEAST_CPUS, MAX_CPUS)
        limit = self._values.cores(limit_node, "cpuLimit", LEAST_CPUS, MAX_CPUS)
        return replace(job, cpus=_float(cpus), cpu_limit=_float(limit))

    def _now_and_then(self, node: Node, fields: Fields) -> Job | None:
        """An idle job that computes in busy periods."""
        own, values = Fields(node, self._values.problems, where="busy"), self._values
        every_node, for_node = own.required("every"), own.required("for")
        own.finish()
        every = values.duration_us(every_node, "every", 1, MAX_SOLO_US, "1us", MAX_SOLO)
        long = values.duration_us(for_node, "for", 1, MAX_SOLO_US, "1us", MAX_SOLO)
        shares = self._shares(fields, None, TRAINING_OVERLAP)
        if every is None or long is None or for_node is None or every_node is None or shares is None:
            return None
        if long > every:
            words = {"value": quoted(for_node), "every": quoted(every_node)}
            values.problems.add("busy-over-every", for_node, **words)
        return Job(JobKind.IDLE, 0, *shares, busy=Busy(every, long))

    def _named(self, node: Node | None) -> NamedWorkload | None:
        name = self._values.text(node, "use")
        if name is None or node is None:
            return None
        library = self._library()
        if name not in library:
            near = nearest(name, library)
            code = "no-such-workload-near" if near else "no-such-workload"
            values = {
                "value": quoted(node),
                "allowed": ", ".join(library),
                **({"near": near} if near else {}),
            }
            self._values.problems.add(code, node, **values)
        return library.get(name)

    def _kind(self, fields: Fields, named: NamedWorkload | None) -> JobKind | None:
        node = fields.required("kind") if named is None else fields.optional("kind")
        if node is None and named is not None:
            return named.job.kind
        text = self._values.one_of(node, "kind", tuple(JobKind))
        return None if text is None else JobKind(text)

    def _work(self, kind: JobKind, fields: Fields, node: Node, named: NamedWorkload | None) -> Job | None:
        """The job as it says itself, and for the rest as `named` has it."""
        values, base = self._values, None if named is None else named.job
        solo_node = fields.required("soloTime") if base is None else fields.optional("soloTime")
        solo = values.duration_us(solo_node, "soloTime", 1, MAX_SOLO_US, "1us", MAX_SOLO)
        if solo_node is None and base is not None:
            solo = base.solo_time_us
        shares = self._shares(fields, base, TRAINING_OVERLAP if kind is JobKind.TRAINING else Fraction(0))
        iterations, rate, clients = 0, None, 0
        if kind is JobKind.TRAINING:
            iterations = values.integer(fields.required("iterations"), "iterations", 1, MAX_ITERATIONS) or 0
        else:
            rate, clients = self._arrivals(fields, node)
        if solo is None or shares is None:
            return None
        return Job(kind, solo, *shares, iterations, rate, clients)

    def _shares(
        self, fields: Fields, base: Job | None, overlap: Fraction
    ) -> tuple[float, float, float] | None:
        """Residency, demand and overlap; `overlap` is usual for the job's kind."""
        residency = self._share(fields, "residency", _or(base, "residency", Fraction(1)))
        demand_node = fields.optional("demand")
        demand = (
            residency and min(residency, _or(base, "demand", residency))
            if demand_node is None
            else self._values.share(demand_node, "demand", Fraction(0), Fraction(1))
        )
        overlap_found = self._share(fields, "overlap", _or(base, "overlap", overlap))
        if residency is None or demand is None or overlap_found is None:
            return None
        if demand > residency and demand_node is not None:
            self._values.problems.add(
                "demand-over-residency",
                demand_node,
                value=quoted(demand_node),
                residency=str(float(residency)),
            )
        return float(residency), float(demand), float(overlap_found)

    def _share(self, fields: Fields, key: str, default: Fraction) -> Fraction | None:
        node = fields.optional(key)
        return default if node is None else self._values.share(node, key, Fraction(0), Fraction(1))

    def _arrivals(self, fields: Fields, node: Node) -> tuple[float | None, int]:
        """Open arrivals (`rate`) or a number of closed clients, 1 by default."""
        rate_node, clients_node = fields.optional("rate"), fields.optional("clients")
        if rate_node is not None and clients_node is not None and isinstance(node, Mapping):
            self._values.problems.add("one-of-two", node, first="rate", second="clients")
        rate = self._values.rate(rate_node, "rate", MAX_RATE)
        if rate is not None:
            return float(rate), 0
        return None, self._values.integer(clients_node, "clients", 1, MAX_CLIENTS) or 1


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _or(base: Job | None, share: str, default: Fraction) -> Fraction:
    return default if base is None else Fraction(str(getattr(base, share)))
