"""The model that one writes first: SimPy, a GPU as a resource, one event for every slice that a Pod gets.

It is what `labs.simulation` is compared with: the same cards and the same Pods, each of them a process that does
its host work, then asks for the GPU again and again until the kernels of its iteration are done, at most `SLICE_US`
at a time. A turn after another Pod's costs `SWITCH_US` more.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import simpy

SLICE_US = 2_000
SWITCH_US = 160  # 8 % of a slice, as labs.simulation assumes


@dataclass(slots=True)
class Naive:
    """What a run came to: slices given, and microseconds of work done in them."""

    slices: int = 0
    work_us: int = 0


class _Card:
    def __init__(self, env: simpy.Environment) -> None:
        self.gpu = simpy.Resource(env, capacity=1)
        self.last = -1


def run(*, nodes: int, cards: int, pods: int, solo_us: int, residency: float, horizon_us: int) -> Naive:
    """`nodes` with `cards` each and `pods` on every card, all training alike, for `horizon_us` of simulated time."""
    env = simpy.Environment()
    result = Naive()
    for _ in range(nodes * cards):
        card = _Card(env)
        for pod in range(pods):
            env.process(_train(env, card, pod, solo_us, round(solo_us * residency), result))
    env.run(until=horizon_us)
    return result


def _train(
    env: simpy.Environment, card: _Card, pod: int, solo_us: int, gpu_us: int, result: Naive
) -> Generator[simpy.Event, object, None]:
    while True:
        yield env.timeout(solo_us - gpu_us)
        left = gpu_us
        while left > 0:
            with card.gpu.request() as turn:
                yield turn
                span = min(SLICE_US, left)
                yield env.timeout(span + (SWITCH_US if card.last not in (-1, pod) else 0))
                card.last = pod
            left -= span
            result.slices += 1
            result.work_us += span
