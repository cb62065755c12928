"""Which resources nodes may offer under the configs that are given, and which of them are shared."""

from __future__ import annotations

from dataclasses import dataclass

from labs.cluster.advertise import advertise
from labs.cluster.node_labels import GPU_RESOURCE
from labs.config.plugin import Loaded, PluginSetting, SharedResource
from labs.lint.meaning import deployment, loaded_under, unread_configs
from labs.lint.subject import LintDocument, Subject

MIG_PREFIX = "nvidia.com/mig-"


@dataclass(frozen=True, slots=True)
class Offer:
    """A config that loads, with what nodes offer under it.

    `advertised` are the names that the given nodes register between them, None where no nodes are given.
    """

    document: LintDocument
    loaded: Loaded
    setting: PluginSetting
    advertised: frozenset[str] | None

    def may_offer(self, resource: str) -> bool:
        """Whether a node may offer a resource of this name under this config."""
        if self.advertised is not None:
            return resource in self.advertised
        if any(share.rename == resource for share in self.setting.resources):
            return self._exists(
                next(share.name for share in self.setting.resources if share.rename == resource)
            )
        if any(share.name == resource and share.rename for share in self.setting.resources):
            return False
        return self._exists(resource)

    def _exists(self, resource: str) -> bool:
        """Whether a card or a MIG device may stand behind a name that is not renamed."""
        if resource == GPU_RESOURCE:
            return True
        return resource.startswith(MIG_PREFIX) and self.setting.mig_strategy == "mixed"

    def shared(self, resource: str) -> SharedResource | None:
        """The shared resource that is offered by this name."""
        return next((share for share in self.setting.resources if share.advertised_name == resource), None)

    def name_of(self, resource: str) -> str:
        """The name under which a resource is offered."""
        return next(
            (share.advertised_name for share in self.setting.resources if share.name == resource), resource
        )


def offers(subject: Subject) -> tuple[Offer, ...]:
    """The offers of all configs of the device plugin that load, in order; none where the plugin reads none of them."""
    return () if unread_configs(subject) is not None else offers_if_read(subject)


def offers_if_read(subject: Subject) -> tuple[Offer, ...]:
    """What they would offer if the plugin reads them."""
    how = deployment(subject)
    all_offers: list[Offer] = []
    for document, _ in subject.plugins:
        loaded = loaded_under(subject, document, how)
        if loaded.setting is not None:
            all_offers.append(Offer(document, loaded, loaded.setting, _advertised(subject, loaded)))
    return tuple(all_offers)


def _advertised(subject: Subject, loaded: Loaded) -> frozenset[str] | None:
    if not subject.settings.nodes:
        return None
    answers = [advertise(loaded, gpus) for gpus in subject.settings.nodes.values()]
    return frozenset(name for answer in answers if answer.registers for name in answer.resources)
