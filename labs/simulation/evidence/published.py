"""Published figures of the named workloads, small enough for a page: which way, how many copies, how long each took.

`data/published.json` is taken from `points.jsonl` and `datasets.json` by `published_json`, and
`tests/unit/simulation/test_published.py` holds it to them.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files

from labs.simulation.evidence.datasets import Dataset
from labs.simulation.evidence.measurement import Measurement
from labs.simulation.evidence.quantity import Quantity, unit_of
from labs.simulation.scenario import JobKind, Workloads


@dataclass(frozen=True, slots=True)
class Published:
    """Seconds per request or iteration of each of `copies` under a way (on a MIG device of `profile`, where there is one).

    A way other than `mig` on a device of all compute slices is that way on a whole card with MIG switched on.
    """

    use: str
    way: str
    profile: str | None
    copies: int
    cycle_s: float
    dataset: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where figures come from."""

    authors: str
    year: int
    address: str


@dataclass(frozen=True, slots=True)
class PublishedFigures:
    """All figures, and their sources by dataset."""

    figures: tuple[Published, ...]
    sources: dict[str, Source]

    def of(self, use: str | None) -> tuple[Published, ...]:
        """Those of a named workload."""
        return tuple(figure for figure in self.figures if figure.use == use)


def published_json(points: Sequence[Measurement], datasets: dict[str, Dataset], workloads: Workloads) -> str:
    """The text of the file: of every named workload the figures that its dataset has of it alone on a card or a device."""
    uses = {(use.dataset, use.point): use for use in workloads.values()}
    rows = []
    for point in points:
        use, unit = uses.get((point.dataset, point.workload)), unit_of(point.metric, point.unit)
        if use is None or unit is None or point.beside or unit.quantity not in (Quantity.TIME, Quantity.RATE):
            continue
        if point.thread_percent not in (None, 100):
            continue
        way = "mig" if point.mechanism == "exclusive" and point.profile else point.mechanism
        items = use.batch if use.job.kind is JobKind.SERVICE else 1  # figures of services are of single items
        seconds = float(f"{unit.cycle_s(point.value, point.copies) * items:.6g}")
        rows.append(asdict(Published(use.id, way, point.profile, point.copies, seconds, point.dataset)))
    used = {row["dataset"] for row in rows}
    sources = {
        dataset.id: asdict(Source(dataset.authors, dataset.year, dataset.address))
        for dataset in datasets.values()
        if dataset.id in used
    }
    written = ",\n".join(f"    {json.dumps(row)}" for row in rows)
    listed = ",\n".join(f'    "{name}": {json.dumps(source)}' for name, source in sources.items())
    return f'{{\n  "sources": {{\n{listed}\n  }},\n  "figures": [\n{written}\n  ]\n}}\n'


@functools.cache
def builtin_published() -> PublishedFigures:
    """The package's own."""
    whole = json.loads((files("labs") / "simulation" / "data" / "published.json").read_text("utf-8"))
    return PublishedFigures(
        tuple(Published(**row) for row in whole["figures"]),
        {name: Source(**source) for name, source in whole["sources"].items()},
    )
