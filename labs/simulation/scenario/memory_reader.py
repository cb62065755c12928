"""Reads `memory:` of a workload: what each of its processes holds on a device, at start and later.

A size is what the process asks for, no more and no less. `needs` and `takes` are those of an allocator that takes what it
finds, as those of TensorFlow and vLLM do: `needs` is the least with which the process can work, `takes` the most that it
takes, as a size or as a percentage of all the memory that one process may have on the device (the card, what MPS leaves a
client, the MIG device).
"""

from __future__ import annotations

from fractions import Fraction

from labs.config.goyaml import Mapping, Node, Scalar, Sequence
from labs.config.own import Fields, Values, quoted, units
from labs.hardware.units import PPM
from labs.simulation.scenario.scenario import MemoryStep

MAX_STEPS = 1_000
MAX_MEMORY, MAX_MEMORY_TEXT = 1024**5, "1PiB"
TAKING = ("needs", "takes")
STEP = ("at", "set", *TAKING)


class MemoryReader:
    """Reads the steps of one workload. `most_us` is the latest of them, written `most`."""

    def __init__(self, values: Values, most_us: int, most: str) -> None:
        self._values = values
        self._most_us, self._most = most_us, most

    def read(self, node: Node | None) -> tuple[MemoryStep, ...]:
        """The steps in order; those with problems are left out."""
        if node is None:
            return ()
        if isinstance(node, Mapping):
            fields = Fields(node, self._values.problems, where="memory")
            step = self._taking(fields, 0)
            fields.finish(TAKING)
            return () if step is None else (step,)
        if not isinstance(node, Sequence):
            size = self._bytes(node, "memory")
            return () if size is None else (MemoryStep(0, size),)
        return self._steps(node)

    def _steps(self, node: Sequence) -> tuple[MemoryStep, ...]:
        steps: list[MemoryStep] = []
        for item in self._values.items(node, "memory", MAX_STEPS):
            fields = Fields(item, self._values.problems, where="memory")
            at_node = fields.required("at")
            at = self._values.duration_us(at_node, "at", 0, self._most_us, "0s", self._most)
            step = self._step(fields, at or 0)
            fields.finish(STEP)
            if at is None or step is None or at_node is None:
                continue
            if steps and at <= steps[-1].at_us:
                self._values.problems.add("not-ascending", at_node, value=quoted(at_node), key="at")
            steps.append(step)
        return tuple(steps)

    def _step(self, fields: Fields, at_us: int) -> MemoryStep | None:
        """What a step sets: a size, or what an allocator needs and takes."""
        taking = fields.key("needs") is not None or fields.key("takes") is not None
        if not taking:
            size = self._bytes(fields.required("set"), "set")
            return None if size is None else MemoryStep(at_us, size)
        if fields.optional("set") is not None and fields.node is not None:
            self._values.problems.add("one-of-two", fields.node, first="set", second="needs")
            return None
        return self._taking(fields, at_us)

    def _taking(self, fields: Fields, at_us: int) -> MemoryStep | None:
        needs_node = fields.required("needs")
        needs = self._bytes(needs_node, "needs")
        takes_node = fields.required("takes")
        if isinstance(takes_node, Scalar) and takes_node.text.endswith("%"):
            share = self._values.share(takes_node, "takes", Fraction(0), Fraction(1))
            ppm = None if share is None else int(share * PPM)
            return None if needs is None or ppm is None else MemoryStep(at_us, needs, takes_ppm=ppm)
        if takes_node is None or needs is None or needs_node is None:
            return None
        if not isinstance(takes_node, Scalar) or units.quantity_bytes(takes_node.text) is None:
            self._values.problems.add("bad-takes", takes_node, value=quoted(takes_node), key="takes")
            return None
        takes = self._bytes(takes_node, "takes")
        if takes is None:
            return None
        if takes < needs:
            words = {"value": quoted(takes_node), "needs": quoted(needs_node)}
            self._values.problems.add("takes-under-needs", takes_node, **words)
            return None
        return MemoryStep(at_us, needs, takes_bytes=takes)

    def _bytes(self, node: Node | None, key: str) -> int | None:
        return self._values.bytes(node, key, MAX_MEMORY, MAX_MEMORY_TEXT)
