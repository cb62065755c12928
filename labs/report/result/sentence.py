"""The answer as a colleague would say it: first what went wrong, to whom and beside whom, then what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from labs.cluster.pod_phase import Phase, Reason
from labs.hardware.units import SECOND_US
from labs.report.cards import (
    device_kind,
    fault_sentences,
    no_more_turns,
    number_ranges,
    several_slots_sentences,
)
from labs.report.notes import note_text
from labs.report.result.mig_config_words import mig_config_sentences
from labs.report.writing import Messages
from labs.simulation.laws import works
from labs.simulation.outcome import CardKey, CardUse, Outcome, PodOutcome
from labs.simulation.outcome.rollout import rollout_error
from labs.simulation.scenario import JobKind, OnOom

SLOW = 1.05  # from this slowdown on it is worth a word
IDLE = 0.5  # below this utilization, cards that others wait for are worth a word
TOO_MUCH = "maximum request size for shared resources"  # the plugin refuses the request itself
REPLICAS_ERROR = "number of replicas must be >= 2"


def sentence(outcome: Outcome, messages: Messages) -> str:
    """All sentences as one text."""
    return messages.text("list.sentences").join(sentences(outcome, messages))


def sentences(outcome: Outcome, messages: Messages) -> tuple[str, ...]:
    """The sentences, the worst news first; at the end of what nothing came."""
    notes = tuple(note_text(note, messages) for note in outcome.notes)
    if not outcome.pods:
        return (
            *_refused_spec(outcome, messages),
            *_refused_nodes(outcome, messages),
            *mig_config_sentences(outcome, messages),
            messages.text("sentence.no_pods"),
            *notes,
        )
    return (
        *_refused_spec(outcome, messages),
        *_refused_nodes(outcome, messages),
        *_refused_pods(outcome, messages),
        *fault_sentences(outcome, messages),
        *mig_config_sentences(outcome, messages),
        *_out_of_memory(outcome, messages),
        *several_slots_sentences(outcome, messages),
        *_pending(outcome, messages),
        *_left(outcome, messages),
        *_crashed(outcome, messages),
        *_overloaded(outcome, messages),
        *_fine(outcome, messages),
        *notes,
    )


def _refused_spec(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """The first change of the DaemonSet that the API server refuses, in its words."""
    words = rollout_error(outcome.trace)
    if words is not None:
        yield messages.text("note.spec-refused", words=words)


def _refused_nodes(outcome: Outcome, messages: Messages) -> Iterator[str]:
    if not outcome.nodes:
        yield messages.text("sentence.no_nodes")
    broken = [node for node in outcome.nodes if node.error is not None]
    errors = dict.fromkeys(node.error for node in broken if node.error is not None)
    for error in errors:
        names = [node.name for node in broken if node.error == error]
        nodes = messages.join(
            names if len(names) <= 3 else [*names[:2], messages.text("list.more", n=len(names) - 2)]
        )
        yield messages.count("sentence.node_refused", len(names), nodes=nodes)
        yield _reason(messages, error)
    if broken:
        remedy = "replicas" if any(REPLICAS_ERROR in error for error in errors) else "config"
        yield messages.text(f"sentence.remedy.{remedy}")
    pending = sum(pod.phase is Phase.PENDING for pod in outcome.pods)
    if broken and pending and len(broken) == len(outcome.nodes):
        yield _of(pending, len(outcome.pods), "sentence.all_pending", "sentence.some_pending", messages)


def _reason(messages: Messages, reason: str) -> str:
    """What the cluster said, quoted as a sentence: a full stop follows where neither the quote nor the words have one."""
    words = messages.text("sentence.reason", reason=reason)
    return words if reason.endswith(".") or words.endswith("。") else f"{words}."


def _refused_pods(outcome: Outcome, messages: Messages) -> Iterator[str]:
    refused = [pod for pod in outcome.pods if pod.reason is Reason.UNEXPECTED_ADMISSION_ERROR]
    if not refused:
        return
    yield _form(messages, "sentence.admission", len(outcome.pods), {"refused": len(refused)})
    if refused[0].message:
        yield _reason(messages, refused[0].message)
    is_too_much = TOO_MUCH in (refused[0].message or "")
    key = "sentence.admission_stays" if is_too_much else "sentence.admission_lost"
    yield messages.count(key, len(refused))


def _out_of_memory(outcome: Outcome, messages: Messages) -> Iterator[str]:
    hit = [pod for pod in outcome.pods if pod.oom]
    catches = {workload.name for workload in outcome.scenario.workloads if workload.on_oom is OnOom.CATCH}
    groups = {
        "running": [pod for pod in hit if _runs(pod) and pod.workload in catches],
        "crash": [pod for pod in hit if pod.reason is Reason.CRASH_LOOP_BACK_OFF],
        "failed": [pod for pod in hit if pod.phase is Phase.FAILED],
    }
    stuck = [pod for group in groups.values() for pod in group]
    named = {pod.name for pod in stuck}
    recovered = [pod for pod in hit if pod.name not in named]
    kinds = [kind for kind, group in groups.items() if group]
    if stuck:
        if kinds == ["running"] and all(_runs(pod) for pod in outcome.pods):
            key = "sentence.oom.all_running"
        else:
            key = f"sentence.oom.{kinds[0] if len(kinds) == 1 else 'mixed'}"
        counts = {kind: len(group) for kind, group in groups.items()}
        yield _form(messages, key, len(outcome.pods), {"oom": len(stuck), **counts})
        yield from _beside_whom(stuck, outcome, messages)
    if recovered:
        yield messages.count("sentence.oom.recovered", len(recovered))


def _form(messages: Messages, key: str, n: int, values: Mapping[str, int]) -> str:
    """As `Messages.count`, for sentences the forms of which want different ones of `values`."""
    return messages.pick(f"{key}.{'one' if n == 1 else 'other'}", {**values, "n": n})


def _beside_whom(hit: Sequence[PodOutcome], outcome: Outcome, messages: Messages) -> Iterator[str]:
    """Where those are who ran out of memory, and who or what took it."""
    cards = list(dict.fromkeys(pod.refused_on for pod in hit if pod.refused_on is not None))
    if not cards:
        return
    own = {(gpu.node, gpu.index) for gpu in outcome.gpus if gpu.mig is not None and gpu.slots == 1}
    if own.issuperset(cards):
        yield messages.count("sentence.where.mig", len(hit), cards=_cards(cards, outcome, messages))
        return
    if len(cards) > 1:
        yield messages.count("sentence.where.cards", len(hit), cards=_cards(cards, outcome, messages))
        return
    victims = {pod.name for pod in hit}
    held = {pod: use for pod, use in _holders(cards[0], outcome) if pod not in victims}
    whole = sum(use.held_bytes for use in held.values())
    values = {"card": _cards(cards, outcome, messages)}
    most = max(held, key=lambda pod: (held[pod].held_bytes, pod), default=None)
    if most is not None and 2 * held[most].held_bytes > whole:
        size = messages.bytes_text(held[most].data_bytes or held[most].context_bytes)
        yield messages.count("sentence.where.beside", len(hit), pod=most, size=size, **values)
        yield from _spare_memory([held[most]], held[most].data_bytes, messages)
    elif held:
        size = messages.bytes_text(whole)
        yield messages.count("sentence.where.late", len(held), size=size, **values)
        yield from _spare_memory(list(held.values()), whole, messages)
    else:
        yield messages.count("sentence.where.cards", len(hit), cards=values["card"])


def _spare_memory(held: Sequence[CardUse], size: int, messages: Messages) -> Iterator[str]:
    """How little those need of the `size` bytes that they hold, where they took more because it was free."""
    if any(use.found_bytes for use in held):
        needs = size - sum(use.found_bytes for use in held)
        yield messages.count("sentence.where.found", len(held), size=messages.bytes_text(needs))


def _holders(card: CardKey, outcome: Outcome) -> Iterator[tuple[str, CardUse]]:
    """The Pods that hold memory on a card at the end, with what they hold."""
    for pod in outcome.pods:
        for use in pod.cards:
            if use.card == card and use.held_bytes:
                yield pod.name, use


def _cards(cards: Sequence[CardKey], outcome: Outcome, messages: Messages) -> str:
    nodes = list(dict.fromkeys(node for node, _ in cards))
    if len(nodes) > 2:
        return messages.text("sentence.cards.many", n=len(cards), nodes=len(nodes))
    parts = []
    for node in nodes:
        indexes = {outcome.scenario.number_in_layout(*card) for card in cards if card[0] == node}
        numbers = number_ranges(sorted(indexes))
        key = "sentence.cards.here" if len(outcome.nodes) == 1 else "sentence.cards.on"
        parts.append(
            messages.pick(
                key, {"cards": numbers, "node": node, "place": device_kind(node, outcome, messages)}
            )
        )
    return messages.join(parts)


def _pending(outcome: Outcome, messages: Messages) -> Iterator[str]:
    pending = [pod for pod in outcome.pods if pod.reason is Reason.UNSCHEDULABLE]
    if not pending or (outcome.nodes and all(node.error is not None for node in outcome.nodes)):
        return
    if _computes(outcome) and outcome.metrics["utilization"] < IDLE:
        busy = messages.percent(outcome.metrics["utilization"])
        yield messages.count("sentence.pending_idle", len(pending), all=len(outcome.pods), percent=busy)
    else:
        yield _of(len(pending), len(outcome.pods), "sentence.all_pending", "sentence.some_pending", messages)
    if pending[0].message:
        yield _reason(messages, pending[0].message)


def _left(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """Pods that nobody hears of: Terminating on nodes whose kubelet is silent."""
    left = [pod for pod in outcome.pods if pod.reason is Reason.TERMINATING]
    if left:
        nodes = messages.join(list(dict.fromkeys(pod.node or "" for pod in left)))
        yield messages.count("sentence.left", len(left), nodes=nodes)


def _crashed(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """Pods that failed for another reason than memory or admission."""
    failed = [
        pod
        for pod in outcome.pods
        if pod.phase is Phase.FAILED and not pod.oom and pod.reason is not Reason.UNEXPECTED_ADMISSION_ERROR
    ]
    if failed:
        yield messages.count("sentence.failed", len(failed))


def _overloaded(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """Services that got more requests than they could answer, for a while at least."""
    behind = sum(pod.falls_behind for pod in outcome.pods)
    if behind:
        keys = ("sentence.all_overloaded", "sentence.some_overloaded")
        yield _of(behind, len(outcome.pods), *keys, messages)


def _fine(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """How those fare who got what they asked for, and how much slower than alone."""
    fine = [
        pod
        for pod in outcome.pods
        if not (pod.oom or pod.falls_behind or pod.is_broken) and (_runs(pod) or pod.phase is Phase.SUCCEEDED)
    ]
    if not fine:
        return
    everyone = len(fine) == len(outcome.pods)
    done = [pod for pod in fine if pod.phase is Phase.SUCCEEDED]
    runs = [pod for pod in fine if pod.phase is not Phase.SUCCEEDED]
    whose = "all" if everyone else "rest"
    if runs and done:
        yield messages.text(f"sentence.fine.{whose}_both", run=len(runs), done=len(done), n=len(fine))
    else:
        yield messages.count(f"sentence.fine.{whose}_{'run' if runs else 'done'}", len(fine))
    yield from _completion(outcome, messages)
    if runs and _alone_on_cards(fine, outcome):
        yield messages.count("sentence.fine.whole", len(runs))
    elif len(runs) == len(outcome.pods) and len({pod.device for pod in runs}) < len(runs):
        yield messages.text("sentence.fine.no_promise")
    yield from _speed(outcome, fine, messages)
    yield from _cpu_limit(outcome, fine, messages)


def _completion(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """When several training jobs are done, in the mean and the last, beside how busy the cards were meanwhile."""
    trains = {work.name for work in outcome.scenario.workloads if work.job.kind is JobKind.TRAINING}
    metrics = outcome.metrics
    if "meanCompletionSeconds" in metrics and sum(pod.workload in trains for pod in outcome.pods) > 1:
        mean, last = (
            messages.duration(round(metrics[key] * SECOND_US))
            for key in ("meanCompletionSeconds", "completionSeconds")
        )
        percent = messages.percent(metrics["workingUtilization"])
        yield messages.text("sentence.completion", mean=mean, last=last, percent=percent)


def _alone_on_cards(fine: Sequence[PodOutcome], outcome: Outcome) -> bool:
    """Whether others wait while each of `fine` has its card to itself and hardly uses it."""
    waits = any(pod.phase is Phase.PENDING for pod in outcome.pods)
    alone = outcome.metrics["slotsPerCard"] == 1 and len({pod.device for pod in fine}) == len(fine)
    return waits and alone and _computes(outcome) and outcome.metrics["utilization"] < IDLE


def _speed(outcome: Outcome, fine: Sequence[PodOutcome], messages: Messages) -> Iterator[str]:
    """How busy the cards are where everybody runs, and how much slower than alone the work goes."""
    turns = no_more_turns(outcome, messages)
    if turns is not None:
        yield turns
        return
    slowdowns = [pod.slowdown for pod in fine if pod.slowdown is not None]
    if not slowdowns or max(slowdowns) < SLOW:
        return
    busy, times = messages.percent(outcome.metrics["utilization"]), messages.number(max(slowdowns))
    if len(fine) == len(outcome.pods) and all(_runs(pod) for pod in fine):
        yield messages.text("sentence.busy", percent=busy, times=times)
    else:
        yield messages.text("sentence.slow", times=times)


def _cpu_limit(outcome: Outcome, fine: Sequence[PodOutcome], messages: Messages) -> Iterator[str]:
    """What a CPU limit has to do with it, of the workload that feels its own most."""
    names = {pod.workload for pod in fine}
    limited = [
        work
        for work in outcome.scenario.workloads
        if work.name in names and works(work.job) and work.job.residency < 1.0 and work.job.cpu_times >= SLOW
    ]
    if limited:
        most = max(limited, key=lambda work: work.job.cpu_times)
        times = messages.number(most.job.cpu_times)
        yield messages.text("sentence.cpu-limit", workload=most.name, times=times)


def _computes(outcome: Outcome) -> bool:
    return any(works(workload.job) for workload in outcome.scenario.workloads)


def _runs(pod: PodOutcome) -> bool:
    return pod.phase is Phase.RUNNING and pod.reason is None


def _of(part: int, whole: int, all_key: str, some_key: str, messages: Messages) -> str:
    return messages.count(all_key, whole) if part == whole else messages.count(some_key, part, all=whole)
