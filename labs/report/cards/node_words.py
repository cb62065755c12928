"""A node in words: its cards, and how they are cut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from labs.cluster.gpu import PhysicalGpu
from labs.report.writing import Messages


def node_words(gpus: Sequence[PhysicalGpu], messages: Messages) -> str:
    """`4 × NVIDIA A100-SXM4-40GB`; of cards with MIG also their devices."""
    parts = [_times(len(list(group)), _card(gpu, messages), messages) for gpu, group in groupby(gpus)]
    return messages.join(parts)


def _card(gpu: PhysicalGpu, messages: Messages) -> str:
    if gpu.mig is None:
        return gpu.name
    devices = [_times(len(list(group)), profile, messages) for profile, group in groupby(gpu.mig)]
    return messages.text(
        "check-lab.node-mig", card=gpu.name, devices=messages.text("list.comma").join(devices)
    )


def _times(count: int, name: str, messages: Messages) -> str:
    return name if count == 1 else messages.text("check-lab.times", n=count, name=name)
