"""The world of one run: SimPy processes that live the Pods' lives and write down what happens."""

from labs.simulation.world.busy_periods import at_work
from labs.simulation.world.faults import NO_DEVICE, OF_A_PROCESS, SERVER_NOT_READY, UNKNOWN_DEVICE
from labs.simulation.world.mig_manager import FAILED, OFF, PENDING, SUCCESS
from labs.simulation.world.run import RECORD_LIMIT, ConfigTooLargeError, mechanism_of, run
from labs.simulation.world.trace_writer import RunTooLargeError

__all__ = [
    "FAILED",
    "NO_DEVICE",
    "OFF",
    "OF_A_PROCESS",
    "PENDING",
    "RECORD_LIMIT",
    "SERVER_NOT_READY",
    "SUCCESS",
    "UNKNOWN_DEVICE",
    "ConfigTooLargeError",
    "RunTooLargeError",
    "at_work",
    "mechanism_of",
    "run",
]
