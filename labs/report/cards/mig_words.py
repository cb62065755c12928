"""What is said of MIG instances on a card, in a terminal and in a page: why one was refused, how sure a start is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from labs.hardware.catalog import Confidence, GpuModel
from labs.hardware.mig import GpuInstance
from labs.hardware.planning import (
    IllegalStart,
    InTheWay,
    NoLayout,
    OtherWay,
    Reason,
    TooMuch,
    UnknownProfile,
)
from labs.report.writing import Messages, visible


def reason_text(reason: Reason, model: GpuModel, messages: Messages) -> str:
    """Why devices were refused, and what would help."""
    text = messages.text
    match reason:
        case UnknownProfile(name, near):
            if not model.mig_profiles:
                return text("cli.mig.no-mig", gpu=model.name)
            known = ", ".join(near or (profile.name for profile in model.mig_profiles))
            key = "cli.mig.why.profile-near" if near else "cli.mig.why.profile"
            return text(key, profile=visible(name), known=known)
        case IllegalStart(profile, start, starts):
            return text("cli.mig.why.start", profile=profile, start=start, starts=", ".join(map(str, starts)))
        case TooMuch(limit, needed, most):
            values = {} if needed is None or most is None else {"needed": needed, "most": most}
            return messages.pick(f"cli.mig.why.{limit}", values)
        case NoLayout():
            return text("cli.mig.why.no-layout")
        case OtherWay(instances, needs_starts):
            key = "cli.mig.why.other-starts" if needs_starts else "cli.mig.why.other-order"
            return text(key, instances=listed(instances))
        case InTheWay(instances, fragmented):
            key = "cli.mig.why.fragmented" if fragmented else "cli.mig.why.taken"
            return text(key, instances=listed(instances))


def start_notes(
    model: GpuModel, instances: Iterable[GpuInstance], *, modelled: bool, messages: Messages
) -> Iterator[str]:
    """How sure the starts of instances are; `modelled`: the driver chose some of them."""
    if modelled:
        yield messages.text("cli.mig.model", **confidence_words(model, messages))
    inferred = dict.fromkeys(
        instance.profile.name
        for instance in instances
        if instance.profile.placements.confidence is Confidence.INFERRED
    )
    if inferred:
        yield messages.text("cli.mig.starts-inferred", profiles=", ".join(inferred))


def confidence_words(model: GpuModel, messages: Messages) -> dict[str, str]:
    """The value `confidence` of sentences about the model of the driver."""
    order = model.placement_order
    level = Confidence.INFERRED if order is None else order.confidence
    return {"confidence": messages.text(f"cli.mig.confidence.{level}")}


def listed(instances: Sequence[GpuInstance]) -> str:
    """As `nvidia-smi mig -lgi` shows a placement."""
    return ", ".join(f"{instance.profile.name} {instance.start}:{instance.size}" for instance in instances)
