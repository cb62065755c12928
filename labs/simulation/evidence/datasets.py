"""The package's copy of published measurements, and where each comes from (`data/points.jsonl`, `data/datasets.json`)."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, fields
from importlib.resources import files

from labs.simulation.evidence.measurement import Measurement, read_measurements

FORMAT = 1
_DATA = files("labs") / "simulation" / "data"


class DatasetError(ValueError):
    """A file of sources that is not of its form."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Where figures come from. On what they were measured, and what was taken from them, is said in each language."""

    id: str
    title: str
    authors: str
    year: int
    address: str
    path: str
    commit: str


def read_datasets(text: str) -> dict[str, Dataset]:
    """The datasets by id, in order. Raises DatasetError."""
    try:
        whole = json.loads(text)
        rows = whole["datasets"]
        if whole["format"] != FORMAT or not isinstance(rows, list):
            raise DatasetError(f'expected {{"format": {FORMAT}, "datasets": [...]}}')
        datasets = [_dataset(row) for row in rows]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise DatasetError(f"not of the form of datasets.json: {error!r}") from error
    ids = [dataset.id for dataset in datasets]
    if len(set(ids)) < len(ids):
        raise DatasetError(f"an id stands twice: {', '.join(ids)}")
    return dict(zip(ids, datasets, strict=True))


def _dataset(row: object) -> Dataset:
    if not isinstance(row, dict):
        raise DatasetError(f"{row!r} is no dataset")
    wanted = {field.name: int if field.name == "year" else str for field in fields(Dataset)}
    if set(row) != set(wanted):
        raise DatasetError(f"{row.get('id')}: expected the keys {', '.join(wanted)}; found {', '.join(row)}")
    wrong = [name for name, kind in wanted.items() if not isinstance(row[name], kind) or not row[name]]
    if wrong:
        raise DatasetError(f"{row['id']}: {', '.join(wrong)} has no value of its kind")
    return Dataset(**row)


@functools.cache
def builtin_datasets() -> dict[str, Dataset]:
    """The sources of the package's figures, by id."""
    return read_datasets((_DATA / "datasets.json").read_text("utf-8"))


def builtin_points_text() -> str:
    """The package's figures as they stand in their file."""
    return (_DATA / "points.jsonl").read_text("utf-8")


@functools.cache
def builtin_points() -> tuple[Measurement, ...]:
    """The package's figures."""
    return read_measurements(builtin_points_text())
