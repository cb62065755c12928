"""What a scenario asks for: its values, and reading them from YAML with every problem at its place."""

from labs.simulation.scenario.job_reader import TRAINING_OVERLAP
from labs.simulation.scenario.mig_share import SM_WEIGHT, mig_share
from labs.simulation.scenario.notes import Note, Subject
from labs.simulation.scenario.reader import read_scenario
from labs.simulation.scenario.scenario import (
    Busy,
    Detail,
    Device,
    Fault,
    FaultKind,
    Job,
    JobKind,
    MemoryStep,
    MigConfig,
    MigShare,
    NodeSpec,
    OnFault,
    OnOom,
    RestartPolicy,
    Scenario,
    Workload,
)
from labs.simulation.scenario.workloads import Workloads, builtin_workloads, read_workloads

__all__ = [
    "SM_WEIGHT",
    "TRAINING_OVERLAP",
    "Busy",
    "Detail",
    "Device",
    "Fault",
    "FaultKind",
    "Job",
    "JobKind",
    "MemoryStep",
    "MigConfig",
    "MigShare",
    "NodeSpec",
    "Note",
    "OnFault",
    "OnOom",
    "RestartPolicy",
    "Scenario",
    "Subject",
    "Workload",
    "Workloads",
    "builtin_workloads",
    "mig_share",
    "read_scenario",
    "read_workloads",
]
