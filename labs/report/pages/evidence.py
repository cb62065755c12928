"""The evidence of the page that says how far predictions can be trusted: the package's figures, and all predictions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from labs.hardware.catalog import Catalog
from labs.simulation.evidence import (
    Accuracy,
    Dataset,
    Measurement,
    Role,
    accuracy,
    builtin_datasets,
    builtin_points,
)
from labs.simulation.scenario import Workloads


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the page is written from: the figures, their sources, and the named workloads.

    `accuracy` has all predictions, `across` those of MIG by demands that MPS told.
    """

    points: tuple[Measurement, ...]
    accuracy: Accuracy
    across: Accuracy
    datasets: Mapping[str, Dataset]
    workloads: Workloads


def builtin_evidence(catalog: Catalog, workloads: Workloads) -> Evidence:
    """What the package's figures come to on these cards, which takes about a second."""
    points = builtin_points()
    across = accuracy(tuple(_without_slices(points)), catalog)
    return Evidence(points, accuracy(points, catalog), across, builtin_datasets(), workloads)


def _without_slices(points: tuple[Measurement, ...]) -> Iterator[Measurement]:
    """The figures of jobs that were measured under MPS too, with those of MIG all to be predicted."""
    both = {(point.dataset, point.workload) for point in points if point.mechanism == "mps"}
    for point in points:
        if (point.dataset, point.workload) in both:
            yield replace(point, role=Role.PREDICT) if point.mechanism == "mig" else point
