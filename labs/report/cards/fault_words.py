"""What faults did, in words: as sentences about the run, and as lines about a card in the picture."""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.pod_phase import Phase, Reason
from labs.report.writing import Messages
from labs.simulation.outcome import FaultOutcome, Outcome
from labs.simulation.outcome.moment import CardView, PodState
from labs.simulation.scenario import FaultKind
from labs.simulation.trace import FaultStruck, Health
from labs.simulation.world import NO_DEVICE, OF_A_PROCESS, SERVER_NOT_READY

FAULTS_TOLD = 3


def fault_sentences(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """What happened, to whom, and what has become of those."""
    faults = outcome.faults if len(outcome.faults) <= FAULTS_TOLD else outcome.faults[: FAULTS_TOLD - 1]
    for fault in faults:
        yield _fault(fault, outcome, messages)
    if len(faults) < len(outcome.faults):
        yield messages.count("sentence.fault.more", len(outcome.faults) - len(faults))
    hit = [pod for pod in outcome.pods if pod.faults]
    lost = {name for fault in outcome.faults if fault.fault.kind is FaultKind.CARD_LOST for name in fault.hit}
    loops = [pod for pod in outcome.pods if pod.reason is Reason.CRASH_LOOP_BACK_OFF]
    counts = {
        "again": sum(
            pod.phase is Phase.RUNNING and pod.reason is None and not (pod.is_broken or pod.oom)
            for pod in hit
        ),
        "broken": sum(pod.is_broken and pod.name not in lost for pod in outcome.pods),
        "broken-lost": sum(pod.is_broken and pod.name in lost for pod in outcome.pods),
        "server": sum(pod.cuda_error == SERVER_NOT_READY for pod in loops),
        "lost": sum(pod.cuda_error == NO_DEVICE for pod in loops),
    }
    for health in (Health.RECOVERED, Health.UNHEALTHY):
        counts[str(health)] = sum(gpu.health is health and gpu.until is None for gpu in outcome.gpus)
    for key, n in counts.items():
        if n:
            yield messages.count(f"sentence.fault.{key}", n)


def hit_texts(card: CardView, messages: Messages) -> list[str]:
    """That a card is lost or unhealthy, and how those are whom faults hit on it, each state once."""
    health = "lost" if card.is_lost else "unhealthy"
    counts: dict[PodState, int] = {}
    for hit in card.hit:
        counts[hit.state] = counts.get(hit.state, 0) + 1
    return [
        *([messages.text(f"picture.hit.gpu-{health}")] if card.is_unhealthy else []),
        *(
            messages.count("picture.hit.callout", n, state=messages.text(f"picture.hit.state.{state}"))
            for state, n in counts.items()
        ),
    ]


def _fault(fault_outcome: FaultOutcome, outcome: Outcome, messages: Messages) -> str:
    """One fault: of a Pod, with how many others it hit; of a card, with how many on it."""
    kind, n = fault_outcome.fault.kind, len(fault_outcome.hit)
    values = {"time": messages.duration(fault_outcome.fault.at_us)}
    if fault_outcome.fault.pod is not None:
        values["pod"] = fault_outcome.fault.pod
        if not n:
            return messages.text(
                f"sentence.fault.{'missed' if kind in OF_A_PROCESS else 'missed-card'}", **values
            )
        if kind is FaultKind.PROCESS:
            return messages.text("sentence.fault.process", **values)
        n -= 1
    else:
        values["card"] = _card(fault_outcome, outcome, messages)
        if not _is_there(fault_outcome, outcome):
            return messages.text("sentence.fault.no-device", **values)
    if not n:
        return messages.text(f"sentence.fault.{kind}.alone", **values)
    return messages.count(f"sentence.fault.{kind}", n, **values)


def _is_there(fault_outcome: FaultOutcome, outcome: Outcome) -> bool:
    """Whether the node had the MIG device by then; its layout may have changed."""
    fault = fault_outcome.fault
    return fault.mig is None or any(
        isinstance(record, FaultStruck)
        and record.gpu is not None
        and (record.at_us, record.node, record.card, record.mig)
        == (fault.at_us, fault.node, fault.gpu, fault.mig)
        for record in outcome.trace.records
    )


def _card(fault_outcome: FaultOutcome, outcome: Outcome, messages: Messages) -> str:
    """GPU 0 of gpu-node-1, or one of its MIG devices; the node only where there are several."""
    fault = fault_outcome.fault
    place = "here" if len(outcome.nodes) == 1 else "on"
    values: dict[str, str | int] = {"gpu": fault.gpu or 0, "mig": fault.mig or 0, "node": fault.node or ""}
    key = f"sentence.fault.card.{place}" if fault.mig is None else f"sentence.fault.card.mig-{place}"
    return messages.pick(key, values)
