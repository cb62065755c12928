"""What became of a change of a node's MIG layout, as sentences about the run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from labs.report.writing import Messages
from labs.simulation.outcome import MigConfigOutcome, Outcome
from labs.simulation.world import FAILED, SUCCESS, UNKNOWN_DEVICE

CONFIGS_TOLD = 3


def mig_config_sentences(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """Each change, and who still holds a device that is no more."""
    configs = outcome.mig_configs
    first = configs if len(configs) <= CONFIGS_TOLD else configs[: CONFIGS_TOLD - 1]
    for config in first:
        yield from _config_sentences(config, messages)
    if len(first) < len(configs):
        yield messages.count("sentence.mig-config.more", len(configs) - len(first))
    gone = sum(pod.cuda_error == UNKNOWN_DEVICE and pod.finished_at is None for pod in outcome.pods)
    if gone:
        yield messages.count("sentence.mig-config.gone", gone)


def _config_sentences(config: MigConfigOutcome, messages: Messages) -> Iterator[str]:
    values = {"time": messages.duration(config.at_us), "node": config.node}
    if config.state == FAILED:
        if config.in_the_way:
            yield messages.count("sentence.mig-config.failed", config.in_the_way, **values)
        else:
            yield messages.text("sentence.mig-config.lost", **values)
    elif config.state != SUCCESS or config.ended_us is None:
        yield messages.text("sentence.mig-config.pending", **values)
    elif config.ended_us == config.at_us:
        yield messages.text("sentence.mig-config.same", **values)
    else:
        values["took"] = messages.duration(config.ended_us - config.at_us)
        if config.profiles:
            devices = messages.text("list.comma").join(
                f"{len(list(group))} × {profile}" for profile, group in groupby(config.profiles)
            )
            yield messages.text("sentence.mig-config.cut", devices=devices, **values)
        else:
            yield messages.text("sentence.mig-config.off", **values)
        if config.mode is not None:
            yield messages.text(f"sentence.mig-config.mode.{config.mode}")
    if config.evicted:
        yield messages.count("sentence.mig-config.evicted", config.evicted)
