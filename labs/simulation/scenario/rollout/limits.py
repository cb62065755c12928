"""How large a scenario may be."""

from __future__ import annotations

from labs.config.goyaml import Limits

MAX_NODES = 5_000
SCENARIO_LIMITS = Limits(characters=1_000_000, depth=40, nodes=100_000)
