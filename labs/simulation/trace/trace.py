"""The Trace: everything that happened in a run, as flat frozen records in order, and its hash.

A run is deterministic, so the hash names the result: the page, the terminal and the golden files show the
same one.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from labs.simulation.trace.record import Record, RolloutRecord


@dataclass(frozen=True, slots=True)
class Trace:
    """All records of a run, in order: those of the workloads and their nodes, and those of the rollout beside them."""

    records: tuple[Record, ...]
    rollout: tuple[RolloutRecord, ...] = ()

    def canonical_json(self) -> str:
        """One row per record, no spaces, ASCII only: the text that is hashed."""
        rows = [*(record.to_row() for record in self.records), *(record.to_row() for record in self.rollout)]
        return json.dumps(rows, separators=(",", ":"))

    def hash(self) -> str:
        """SHA-256 of the canonical JSON, 64 hexadecimal digits."""
        return hashlib.sha256(self.canonical_json().encode("ascii")).hexdigest()
