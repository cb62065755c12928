"""The process of a Pod's container: it makes its contexts, takes its memory, works, and ends with an exit code, or never."""

from __future__ import annotations

import random
from collections.abc import Generator
from typing import Literal

import simpy

from labs.simulation.laws import Rate, works
from labs.simulation.scenario import MemoryStep, OnFault, OnOom, Workload
from labs.simulation.trace import (
    AllocationFailed,
    CardBusy,
    ContextAllocated,
    CudaRefused,
    LatencyChanged,
    MemoryAllocated,
    RequestRateChanged,
    SpeedChanged,
)
from labs.simulation.world.busy_periods import BusyPeriods
from labs.simulation.world.card import Card
from labs.simulation.world.faults import refusal
from labs.simulation.world.live_pod import LivePod
from labs.simulation.world.progress import Progress
from labs.simulation.world.trace_writer import TraceWriter

Steps = Generator[simpy.Event, object, int]


class PodProcesses:
    """Runs the processes of a world's Pods; `seed` is the scenario's."""

    def __init__(self, env: simpy.Environment, trace: TraceWriter, seed: int) -> None:
        self._env = env
        self._trace = trace
        self._seed = seed
        self._chances: dict[str, random.Random] = {}  # of Pods that compute now and then

    def run(self, pod: LivePod) -> Steps:
        """One life of the Pod's process, from its first instruction to its exit code (or for ever)."""
        workload, started = pod.workload, int(self._env.now)
        pod.broken = False
        pod.ends = finished = self._env.event()
        for step in _steps(workload):
            wait = self._env.timeout(started + step.at_us - int(self._env.now))
            yield wait | finished
            if finished.triggered or pod.broken:
                break
            if not self._has_devices(pod):
                pod.stop_working()
                if workload.on_fault is OnFault.CATCH and not any(card.gone for card in pod.cards):
                    pod.broken = True
                    break
                self._free_memory(pod)
                return 1
            if not self._take_memory(pod, step):
                pod.stop_working()
                if workload.on_oom is OnOom.CATCH:
                    break  # it sits there for ever
                self._free_memory(pod)
                return 1
            if pod.progress is None and works(workload.job):
                pod.progress = self._work(pod, finished)
                pod.progress.start(pod.name, pod.cards, self._tell_busy)
        exit_code = yield finished
        self._free_memory(pod)
        return exit_code if isinstance(exit_code, int) else 0

    def _work(self, pod: LivePod, finished: simpy.Event) -> Progress | BusyPeriods:
        """What its job does, from its start on."""
        job = pod.workload.job
        if job.busy is None:
            return Progress(self._env, job, finished, lambda rate: self._tell(pod, rate))
        chance = self._chances.setdefault(pod.name, random.Random(f"{self._seed}:spells/{pod.name}"))
        return BusyPeriods(self._env, job, job.busy, chance, lambda rate: self._tell(pod, rate))

    def _has_devices(self, pod: LivePod) -> bool:
        """Whether CUDA lets the process make its contexts, where it has none yet."""
        for card in pod.cards:
            error = None if card.has_context(pod.name) else refusal(card)
            if error is not None:
                self._trace.write(CudaRefused(self._trace.now_us, pod.name, card.node, card.number, error))
                return False
        return True

    def _take_memory(self, pod: LivePod, step: MemoryStep) -> bool:
        """Makes the process hold what the step says on each of its cards; False at the first refusal.

        What it got until then stays.
        """
        for card in pod.cards:
            if not card.has_context(pod.name):
                context = pod.workload.context_bytes
                if not card.allocate_context(pod.name, context):
                    self._refused(pod, card, context, "context")
                    return False
                self._trace.write(
                    ContextAllocated(self._trace.now_us, pod.name, card.node, card.number, context)
                )
            size = step.size(card.free_for(pod.name), card.room)
            grown = size - card.data_bytes(pod.name)
            if not card.set_data(pod.name, size):
                self._refused(pod, card, grown, "memory")
                return False
            if grown:
                self._trace.write(MemoryAllocated(self._trace.now_us, pod.name, card.node, card.number, size))
        return True

    def _refused(self, pod: LivePod, card: Card, asked: int, purpose: Literal["context", "memory"]) -> None:
        now_us = self._trace.now_us
        self._trace.write(AllocationFailed(now_us, pod.name, card.node, card.number, asked, purpose))

    def _free_memory(self, pod: LivePod) -> None:
        for card in pod.cards:
            card.free_all(pod.name)

    def _tell(self, pod: LivePod, rate: Rate | None) -> None:
        """Writes down how fast a Pod's job goes now; None: it has stopped."""
        before, pod.rate = pod.rate, rate
        now, trace, node = rate or Rate(0), self._trace, pod.on_node
        if before is None or before.speed_ppm != now.speed_ppm:
            trace.write(SpeedChanged(trace.now_us, pod.name, node, now.speed_ppm))
        if (before.requests_u if before else 0) != now.requests_u:
            trace.write(RequestRateChanged(trace.now_us, pod.name, node, now.requests_u))
        if now.requests_u and (before is None or before.latency_us != now.latency_us):
            trace.write(LatencyChanged(trace.now_us, pod.name, node, now.latency_us or 0))

    def _tell_busy(self, card: Card) -> None:
        self._trace.write(CardBusy(self._trace.now_us, card.node, card.number, card.busy_ppm))


def _steps(workload: Workload) -> tuple[MemoryStep, ...]:
    """The workload's memory steps.

    A job without any still needs its context before it can launch a kernel.
    """
    if workload.memory:
        return workload.memory
    return (MemoryStep(0, 0),) if works(workload.job) else ()
