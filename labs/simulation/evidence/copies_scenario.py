"""One workload in n equal copies on a card under one way of sharing: the scenario, as a text and as what is read from it.

The text is what a person takes along and runs elsewhere with the same Trace. Reading it takes longer than running it, so a
scenario is also made directly; a test holds the one to the other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from labs.hardware.catalog import (
    CONTEXT_MEMORY_BYTES,
    DRIVER_RESERVE_FRACTION,
    Catalog,
    GpuModel,
    usable_memory_bytes,
)
from labs.hardware.units import MIB, SECOND_US
from labs.simulation.evidence.copies_layout import CopiesLayout
from labs.simulation.scenario import (
    Job,
    JobKind,
    MemoryStep,
    MigShare,
    NodeSpec,
    OnOom,
    RestartPolicy,
    Scenario,
    Workload,
    mig_share,
)

WAYS = ("exclusive", "time-slicing", "mps", "mig")
SEED = 1
WORK_US = 600_000_000  # that a training job has to do: ten minutes alone
ROUNDS = 12  # so many times longer than alone a training job may take
SERVICE_US, REQUESTS = 600_000_000, 1_000  # a service is watched for ten minutes, or so many requests
DAY_US = 86_400 * SECOND_US
NODE, COPY, RESOURCE = "gpu-node-1", "copy", "nvidia.com/gpu"


@dataclass(frozen=True, slots=True)
class Situation:
    """A job, a card, what each copy holds in MiB, and how MPS clients are limited.

    `use` is the job's name in the library, which then stands in the scenario. MPS clients have the share of the threads
    that the device plugin gives them, or a memory limit only.
    """

    job: Job
    use: str | None
    card: str
    memory_mib: int
    capped: bool

    @property
    def iterations(self) -> int:
        """That a training job has to do; 0 for a service."""
        if self.job.kind is not JobKind.TRAINING:
            return 0
        return max(1, round(WORK_US / self.job.solo_time_us))

    @property
    def horizon_us(self) -> int:
        """How long a run is, in whole seconds."""
        if self.iterations:
            whole = ROUNDS * self.iterations * self.job.solo_time_us
        else:
            whole = max(SERVICE_US, REQUESTS * self.job.solo_time_us)
        return min(100 * DAY_US, -(-whole // SECOND_US) * SECOND_US)


@dataclass(frozen=True, slots=True)
class Side:
    """So many copies in a situation under one way. Under exclusive use there is one card; MIG needs a layout."""

    way: str
    copies: int
    situation: Situation
    layout: CopiesLayout | None

    @property
    def _devices(self) -> tuple[str, ...]:
        return self.layout.devices if self.way == "mig" and self.layout is not None else ()

    @property
    def _thread_percent(self) -> int | None:
        """What takes the place of the threads that the device plugin's file leaves an MPS client."""
        return 100 if self.way == "mps" and not self.situation.capped else None

    def _head(self) -> list[str]:
        """The text up to the device plugin's own file."""
        mig = f", mig: [{', '.join(self._devices)}]" if self._devices else ""
        threads = self._thread_percent
        return [
            "format: 1",
            f"seed: {SEED}",
            f"horizon: {self.situation.horizon_us // SECOND_US}s",
            "nodes:",
            f"  - name: {NODE}",
            f"    gpus: {{model: {self.situation.card}, count: 1{mig}}}",
            *([] if threads is None else [f"    mps: {{activeThreadPercentage: {threads}}}"]),
        ]

    def _config(self) -> list[str]:
        """The device plugin's own file; none under exclusive use."""
        if self.way == "exclusive":
            return []
        if self.way == "mig":
            return ["version: v1", "flags:", "  migStrategy: single"]
        return [
            "version: v1",
            "sharing:",
            f"  {'mps' if self.way == 'mps' else 'timeSlicing'}:",
            "    failRequestsGreaterThanOne: true",
            "    resources:",
            f"      - name: {RESOURCE}",
            f"        replicas: {max(2, self.copies)}",
        ]

    @property
    def text(self) -> str:
        """The scenario as YAML."""
        config = self._config()
        lines = [
            *self._head(),
            *(["    config: |"] if config else []),
            *(f"      {line}" for line in config),
            "workloads:",
            f"  - name: {COPY}",
            f"    count: {self.copies}",
            f"    request: {{{RESOURCE}: 1}}",
            f"    memory: {self.situation.memory_mib}MiB",
            f"    job: {{{_job_text(self.situation)}}}",
            "    onOOM: catch",
        ]
        return "\n".join(lines) + "\n"

    def scenario(self, catalog: Catalog) -> Scenario:
        """What is read from the text where it is one of a library in which `use` names this job."""
        situation, model = self.situation, catalog.get(self.situation.card)
        config = self._config()
        node = NodeSpec(
            name=NODE,
            model=model,
            count=1,
            config="\n".join(config) + "\n" if config else None,
            config_line=len(self._head()) + 2 if config else 0,
            usable_bytes=usable_memory_bytes(model, DRIVER_RESERVE_FRACTION),
            mig=tuple(_share(model, name) for name in self._devices),
            mps_thread_percent=self._thread_percent,
        )
        trains = situation.job.kind is JobKind.TRAINING
        copy = Workload(
            name=COPY,
            arrivals_us=(0,) * self.copies,
            request=((RESOURCE, 1),),
            memory=(MemoryStep(0, situation.memory_mib * MIB),),
            context_bytes=CONTEXT_MEMORY_BYTES,
            job=replace(situation.job, iterations=situation.iterations, clients=0 if trains else 1),
            on_oom=OnOom.CATCH,
            restart_policy=RestartPolicy.NEVER if trains else RestartPolicy.ALWAYS,
        )
        return Scenario(SEED, situation.horizon_us, (node,), (copy,), None)


def _share(model: GpuModel, name: str) -> MigShare:
    profile = model.mig_profile(name)
    assert profile is not None  # a layout's profiles are the card's
    return mig_share(model, profile)


def _job_text(situation: Situation) -> str:
    job = situation.job
    if situation.use is not None:
        parts = [f"use: {situation.use}"]
    else:
        parts = [f"kind: {job.kind}", f"soloTime: {job.solo_time_us}us", f"residency: {job.residency:g}"]
        parts += [f"demand: {job.demand:g}", f"overlap: {job.overlap:g}"]
    return ", ".join([*parts, *([f"iterations: {situation.iterations}"] if situation.iterations else [])])
