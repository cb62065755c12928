"""The sharing blocks of claims for NVIDIA's DRA driver, of the version of its API that is known here."""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests.objects import (
    DRIVER_API_VERSION,
    SHARED_CONFIG_KINDS,
    STRATEGIES,
    DeviceConfig,
    DeviceSharing,
)
from labs.lint.subject import LintDocument, Subject

_OTHER_WORDS = {"timeslice": "TimeSlicing", "timesliced": "TimeSlicing", "timesharing": "TimeSlicing"}


def is_of_this_version(config: DeviceConfig) -> bool:
    """Whether parameters are of the version of the driver's API that is known here; one that is not written counts as it."""
    return config.api_version is None or config.api_version.text == DRIVER_API_VERSION


def sharings(subject: Subject) -> Iterator[tuple[LintDocument, DeviceConfig, DeviceSharing]]:
    """The blocks of a `GpuConfig` or a `MigDeviceConfig`, each with its document."""
    for document, config in subject.claims:
        kind = None if config.kind is None else config.kind.text
        if config.sharing is not None and kind in SHARED_CONFIG_KINDS and is_of_this_version(config):
            yield document, config, config.sharing


def meant_strategy(written: str) -> str:
    """The strategy that a name is another spelling of; `""` where it is none."""
    plain = "".join(letter for letter in written[:40].casefold() if letter.isalnum())
    return ({strategy.casefold(): strategy for strategy in STRATEGIES} | _OTHER_WORDS).get(plain, "")


def chosen_strategy(sharing: DeviceSharing) -> str:
    """The strategy that a block chooses, or means to in another spelling; `""` where that is not told."""
    return "" if sharing.strategy is None else meant_strategy(sharing.strategy.text or "")
