"""The laws by which jobs share a card: exclusive, time-slicing, MPS, MIG, at the level of rates and of requests."""

from labs.simulation.laws import mig, mps, time_slicing
from labs.simulation.laws.contexts import Spend, freely
from labs.simulation.laws.cpu_budget import rates_under_cpu_limits, under_cpu_limit
from labs.simulation.laws.exclusive import Exclusive
from labs.simulation.laws.mechanism import Mechanism, Rate, Rates, Split, works
from labs.simulation.laws.mig import Mig
from labs.simulation.laws.mps import Mps
from labs.simulation.laws.request_lines import line_of
from labs.simulation.laws.requests import AHEAD, Budget, RequestLine, TooManyRequestsError
from labs.simulation.laws.time_slicing import TimeSlicing, shared_rates

__all__ = [
    "AHEAD",
    "Budget",
    "Exclusive",
    "Mechanism",
    "Mig",
    "Mps",
    "Rate",
    "Rates",
    "RequestLine",
    "Spend",
    "Split",
    "TimeSlicing",
    "TooManyRequestsError",
    "freely",
    "line_of",
    "mig",
    "mps",
    "rates_under_cpu_limits",
    "shared_rates",
    "time_slicing",
    "under_cpu_limit",
    "works",
]
