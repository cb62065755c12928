"""Which line follows the requests on a card, by the way in which it is shared."""

from __future__ import annotations

from labs.simulation.mechanism import Mechanism
from labs.simulation.mps import Mps
from labs.simulation.own_parts import OwnParts
from labs.simulation.requests import RequestLine
from labs.simulation.side_by_side import SideBySide
from labs.simulation.turns import Turns


def line_of(mechanism: Mechanism) -> type[RequestLine]:
    """The line for cards that are shared so: MPS clients run side by side, all others' contexts take turns."""
    if isinstance(mechanism, Mps):
        return OwnParts if mechanism.is_divided else SideBySide
    return Turns
