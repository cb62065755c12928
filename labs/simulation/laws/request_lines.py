"""Which line follows the requests on a card, by the way in which it is shared."""

from __future__ import annotations

from labs.simulation.laws.mechanism import Mechanism
from labs.simulation.laws.mps import Mps
from labs.simulation.laws.own_parts import OwnParts
from labs.simulation.laws.requests import RequestLine
from labs.simulation.laws.side_by_side import SideBySide
from labs.simulation.laws.turns import Turns


def line_of(mechanism: Mechanism) -> type[RequestLine]:
    """The line for cards that are shared so: MPS clients run side by side, all others' contexts take turns."""
    if isinstance(mechanism, Mps):
        return OwnParts if mechanism.is_divided else SideBySide
    return Turns
