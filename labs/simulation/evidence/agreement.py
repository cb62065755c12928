"""How far the two levels of a run may lie apart: requests one by one, and the rates that are their mean.

What is told by rates is exact for one job, and for equal jobs that are always busy. Elsewhere the rates take the others at
their average, where a request finds them as they are at the moment. `tests/unit/simulation/test_levels.py` holds random
mixes to these bounds, and the page on trust states them.
"""

from __future__ import annotations

THROUGHPUT = 0.05
"""Of requests and iterations, and of the latency where clients wait for their answers (which is the same figure)."""

COMPETING = 0.07
"""The same under MPS where clients compete for the card: how much a request is slowed is known in the mean only, so who slows
it down when is a guess (`slowdowns.py`)."""

OPEN_LATENCY = 0.25
"""Of the mean latency where requests come when they will, while the service's context has work for no more than `OPEN_BUSY`
of the time. Beyond that no bound is stated: queues grow while a neighbour's longer requests run, and next to the limit a
few percent of load double a latency."""

COMPETING_OPEN_LATENCY = 0.35
"""The same where MPS clients compete."""

OPEN_BUSY = 0.5
"""The share of the time up to which that holds."""
