"""Reads `job:` of a workload: what its Pods do once they have their memory."""

from __future__ import annotations

from fractions import Fraction

from labs.config.fields import Fields, Values, quoted
from labs.config.yaml_nodes import Mapping, Node
from labs.simulation.scenario import Job, JobKind

MAX_SOLO_US, MAX_SOLO = 86_400_000_000, "24h"
MAX_ITERATIONS = 10**12
MAX_RATE = 1_000_000
MAX_CLIENTS = 64
TRAINING_OVERLAP = Fraction(1, 2)  # asynchronous training, between the two laws (see time_slicing.py)

KEYS = {
    JobKind.IDLE: ("kind",),
    JobKind.SERVICE: ("kind", "soloTime", "residency", "demand", "overlap", "rate", "clients"),
    JobKind.TRAINING: ("kind", "soloTime", "iterations", "residency", "demand", "overlap"),
}


class JobReader:
    """Reads one job; without any, the Pod is idle."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def read(self, node: Node | None) -> Job | None:
        """The job, or None where there were problems with it."""
        if node is None:
            return Job(JobKind.IDLE)
        fields = Fields(node, self._values.problems, where="job")
        kind_text = self._values.one_of(fields.required("kind"), "kind", tuple(JobKind))
        if kind_text is None:
            return None
        kind = JobKind(kind_text)
        job = Job(kind) if kind is JobKind.IDLE else self._work(kind, fields, node)
        fields.finish(KEYS[kind])
        return job

    def _work(self, kind: JobKind, fields: Fields, node: Node) -> Job | None:
        values = self._values
        solo = values.duration_us(fields.required("soloTime"), "soloTime", 1, MAX_SOLO_US, "1us", MAX_SOLO)
        residency = self._share(fields, "residency", Fraction(1))
        demand_node = fields.optional("demand")
        demand = (
            residency
            if demand_node is None
            else values.share(demand_node, "demand", Fraction(0), Fraction(1))
        )
        overlap = self._share(
            fields, "overlap", TRAINING_OVERLAP if kind is JobKind.TRAINING else Fraction(0)
        )
        iterations, rate, clients = 0, None, 0
        if kind is JobKind.TRAINING:
            iterations = values.integer(fields.required("iterations"), "iterations", 1, MAX_ITERATIONS) or 0
        else:
            rate, clients = self._arrivals(fields, node)
        if solo is None or residency is None or demand is None or overlap is None:
            return None
        if demand > residency and demand_node is not None:
            values.problems.add(
                "demand-over-residency",
                demand_node,
                value=quoted(demand_node),
                residency=str(float(residency)),
            )
        return Job(kind, solo, float(residency), float(demand), float(overlap), iterations, rate, clients)

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
