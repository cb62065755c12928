"""Where in a config stands why nodes offer a resource as they do."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable

from labs.cluster.node_labels import GPU_RESOURCE
from labs.config.goyaml import Span
from labs.config.plugin import FLAGS
from labs.lint.findings import Related
from labs.lint.meaning import deployment, some_run_without, unread_configs
from labs.lint.meaning.market.offers import MIG_PREFIX, Offer, offers_if_read
from labs.lint.subject import Subject

SHARED = ".shared"
MOST_PLACES = 3
MOST_OFFERS = 200
_MIG_STRATEGY = next(flag for flag in FLAGS if flag.name == "mig-strategy")


def sharing_place(offer: Offer) -> Span | None:
    """The sharing block in effect, or what else the config has to point at."""
    plugin = offer.document.plugin
    if plugin is None:
        return None
    if plugin.in_effect is not None:
        return plugin.in_effect.field.key_place
    member = plugin.sharing or plugin.version
    if member is not None:
        return member.key_place
    return None if plugin.root is None else plugin.root.place


def rename_place(offer: Offer) -> Span | None:
    """The switch that renames, or the sharing block."""
    plugin = offer.document.plugin
    block = None if plugin is None else plugin.in_effect
    if block is not None and block.rename_by_default is not None:
        return block.rename_by_default.key_place
    return sharing_place(offer)


def fail_place(offer: Offer) -> Span | None:
    """The switch that has requests for more than one refused, or the sharing block."""
    plugin = offer.document.plugin
    block = None if plugin is None else plugin.in_effect
    if block is not None and block.fail_requests_greater_than_one is not None:
        return block.fail_requests_greater_than_one.key_place
    return sharing_place(offer)


def related(pairs: Iterable[tuple[Offer, Span | None]], note: str) -> list[Related]:
    """Places of configs that belong to a finding; a few of them where there are many."""
    placed = ((offer, place) for offer, place in pairs if place is not None)
    return [offer.document.related(place, note) for offer, place in itertools.islice(placed, MOST_PLACES)]


class Market:
    """All offers of the configs that are given, asked again and again.

    `certain` where every config loads, and where they are few enough to be one fleet's.
    """

    def __init__(self, subject: Subject) -> None:
        self.offers = offers_if_read(subject) if subject.plugins else ()
        self._unread = unread_configs(subject) is not None
        self.certain = 0 < len(self.offers) == len(subject.plugins) <= MOST_OFFERS
        self._some_plain = some_run_without(subject)
        settings = subject.settings
        deployment_known = deployment(subject).deployer is not None or bool(settings.args)
        self._strategy_told = deployment_known or any(name in settings.env for name in _MIG_STRATEGY.env)
        self._known: dict[str, bool] = {}
        self._offering: dict[str, tuple[Offer, ...]] = {}

    def may_offer(self, resource: str) -> bool:
        """Whether some node may offer the resource; True where that can't be told."""
        if self._unread:
            return not self._only_by_a_config(resource)
        if resource not in self._known:
            self._known[resource] = (
                not self.certain
                or (self._some_plain and resource == GPU_RESOURCE)
                or any(offer.may_offer(resource) or not self._sure(offer, resource) for offer in self.offers)
            )
        return self._known[resource]

    def offering(self, resource: str) -> tuple[Offer, ...]:
        """The configs under which nodes may offer it; none where it can't be told which these are."""
        if self._unread or not self.certain or (self._some_plain and resource == GPU_RESOURCE):
            return ()
        if resource not in self._offering:
            self._offering[resource] = tuple(offer for offer in self.offers if offer.may_offer(resource))
        return self._offering[resource]

    def _only_by_a_config(self, resource: str) -> bool:
        """Whether a config would have to be read for a node to offer it."""
        renames = (share.rename for offer in self.offers for share in offer.setting.resources)
        return self.certain and resource in renames

    def _sure(self, offer: Offer, resource: str) -> bool:
        """Whether a config that does not offer the resource surely does not: a MIG strategy may come from elsewhere."""
        if not resource.startswith(MIG_PREFIX) or offer.advertised is not None or self._strategy_told:
            return True
        plugin = offer.document.plugin
        if plugin is not None and plugin.flag("migStrategy") is not None:
            return True
        renames = {share.rename for share in offer.setting.resources}
        if resource.endswith(SHARED):
            return resource not in renames
        return any(share.name == resource and share.rename for share in offer.setting.resources)


@functools.lru_cache(maxsize=2)
def market(subject: Subject) -> Market:
    """The offers of the files given; kept, since several rules ask."""
    return Market(subject)
