"""The page that says how far predictions can be trusted, `docs/<language>/accuracy/`: written from what `gpulab accuracy`
finds in the package's figures, and kept fresh.

`python -m checks trust --update` writes it; the check compares.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

from checks.generated import compare, write
from checks.languages import LANGUAGES
from checks.problem import Problem
from labs.library import builtin_library
from labs.report.pages import Evidence, TrustPage
from labs.simulation.evidence import Measurement, Role, accuracy, builtin_datasets, builtin_points
from labs.simulation.scenario import builtin_workloads

FOLDER = "accuracy"
UPDATE = "run python -m checks trust --update"


def check(root: Path) -> list[Problem]:
    """A page that is missing or stale."""
    return compare(root, FOLDER, pages(), UPDATE)


def update(root: Path) -> int:
    """Writes the page in all languages; how many changed."""
    return write(root, FOLDER, pages())


def pages() -> dict[str, str]:
    """The text of every page by its path below `docs/`."""
    library = builtin_library()
    return {
        f"{language}/{FOLDER}/index.md": TrustPage(library.messages[language], evidence()).page()
        for language in LANGUAGES
    }


@functools.cache
def evidence() -> Evidence:
    """What the page is written from."""
    catalog = builtin_library().catalog
    return Evidence(
        builtin_points(),
        accuracy(builtin_points(), catalog),
        accuracy(_without_slices(builtin_points()), catalog),
        builtin_datasets(),
        builtin_workloads(),
    )


def _without_slices(points: tuple[Measurement, ...]) -> list[Measurement]:
    """The figures of jobs that were measured under MPS too, with those of MIG all to be predicted."""
    both = {(point.dataset, point.workload) for point in points if point.mechanism == "mps"}
    return [
        replace(point, role=Role.PREDICT) if point.mechanism == "mig" else point
        for point in points
        if (point.dataset, point.workload) in both
    ]
