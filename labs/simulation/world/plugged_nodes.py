"""The nodes of a scenario under a rollout of their device plugin.

What the plugins in the DaemonSet's Pods register, what the kubelets report, and what the scheduler sees of it.

A kubelet writes its node status once in `status_period_us`, each at a tenth of a second of its own (a draw); whatever
happens between two of these the API server does not see. Cards are shared by whoever was given them, whatever the plugin
now offers, so that on one that was exclusive before and is shared now the Pods take turns. Running Pods notice nothing.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import simpy

from labs.cluster.advertise import Advertisement, advertise
from labs.cluster.plugged_node import PluggedNode
from labs.config.plugin import DEPLOYER_ENVIRONMENT, Deployer, Loaded, load
from labs.simulation.laws import Exclusive, Mechanism, Mig, Mps, Spend, TimeSlicing
from labs.simulation.scenario import Scenario
from labs.simulation.scenario.rollout import Reading, Rollout
from labs.simulation.trace import (
    AllocatableChanged,
    CapacityChanged,
    CardAllocatable,
    CardHealthy,
    CardOffered,
    NodeJoined,
    NodeLeft,
    NodeRefused,
)
from labs.simulation.world.mig_manager import Layout
from labs.simulation.world.offer import device_numbers, physical_gpu, refusal_of, write_devices
from labs.simulation.world.rollout import FleetNode
from labs.simulation.world.world import World

LONG_AGO_US = -(10**12)
TENTH_US = 100_000
UNREACHABLE = "node.kubernetes.io/unreachable: "
OTHER_TAINT = "maintenance: "  # what `tainted` stands for
Offers = tuple[Loaded, Advertisement]


def plugged_layouts(
    rollout: Rollout, layouts: Mapping[str, Sequence[Layout]], spend: Spend
) -> tuple[dict[str, PluggedNode], dict[str, list[Layout]]]:
    """Nodes whose plugin comes and goes, by name, and all ways in which the cards of each are ever cut."""
    nodes = {name: PluggedNode(name, order) for order, name in enumerate(layouts)}
    for name, cuts in layouts.items():
        nodes[name].is_present = name not in rollout.absent
        _share_by_turns(cuts, spend)
    return nodes, {
        name: [Layout(cut.spec, nodes[name], cut.cards) for cut in cuts] for name, cuts in layouts.items()
    }


@dataclass(slots=True, eq=False)
class _Plugged:
    """A node, how its cards are cut now, and the resources that each plugin Pod has registered there."""

    node: PluggedNode
    layout: Layout
    phase_us: int
    serving: dict[str, tuple[str, ...]] = field(default_factory=dict)
    allocatable: dict[tuple[int, str], int] = field(
        default_factory=dict
    )  # allocatable slots, as the API server has them
    reports_us: int | None = None  # its next node status, where that will tell something


class PluggedNodes:
    """`nodes` of `layouts` (see `plugged_layouts`) in the world; their time begins with `start`."""

    def __init__(
        self,
        world: World,
        scenario: Scenario,
        rollout: Rollout,
        nodes: Mapping[str, PluggedNode],
        layouts: Mapping[str, Sequence[Layout]],
    ) -> None:
        self._world = world
        self._trace = world.trace
        self._rollout = rollout
        self._offers: dict[tuple[str, str, int, tuple[str, ...]], Offers] = {}
        self._started = False
        self._plugged: dict[str, _Plugged] = {}
        draw = random.Random(f"{scenario.seed}:node-status")
        for name, cuts in layouts.items():
            phase_us = draw.randrange(max(1, rollout.status_period_us // TENTH_US)) * TENTH_US
            plugged = self._plugged[name] = _Plugged(nodes[name], cuts[0], phase_us)
            nodes[name].on_change = partial(self._plan_report, plugged)

    def start(self) -> None:
        """What was so before the start is so; from now on kubelets report."""
        self._started = True
        for plugged in self._plugged.values():
            write_devices(self._trace, plugged.layout.spec)
            if plugged.node.is_present:
                self._report(plugged)
            if plugged.node.is_silent:
                self._world.unreachable.fall_silent(plugged.node)

    # What plugins do (Cards)

    def refusal(self, node: str, reading: Reading) -> str | None:
        """The loader's or the plugin's error."""
        error = self._offer(node, reading)[1].error
        if error is not None:
            self._trace.write(NodeRefused(self._now_us, node, error))
        return error

    def serve(self, node: str, pod: str, reading: Reading) -> None:
        """The Pod's plugin registers what its config makes of the node's cards as they are cut now."""
        plugged = self._plugged[node]
        loaded, advertisement = self._offer(node, reading)
        if loaded.setting is None or not advertisement.registers:
            self._trace.write(NodeRefused(self._now_us, node, refusal_of(advertisement) or ""))
            return
        numbers = device_numbers(plugged.layout.spec)
        plugged.serving[pod] = plugged.node.start_plugin(advertisement, loaded.setting, numbers)
        for card in plugged.layout.cards:
            if card.recover():
                self._trace.write(CardHealthy(self._now_us, node, card.number))
            slots = plugged.node.slots(card.number)
            mechanism = _name_of(card.mechanism, slots, is_mig=bool(plugged.layout.spec.mig))
            self._trace.write(CardOffered(self._now_us, node, card.number, slots, mechanism))
        self._plan_report(plugged)

    def stop(self, node: str, pod: str) -> None:
        """Its connection to the kubelet ends."""
        plugged = self._plugged[node]
        for resource in plugged.serving.pop(pod, ()):
            plugged.node.manager.disconnect(resource, self._now_us)
        self._plan_report(plugged)
        self._plan_expiry(plugged)

    def served_before(self, node: str, reading: Reading) -> None:
        """A plugin served here long before the start: its resources are listed, with nothing."""
        plugged = self._plugged[node]
        loaded, advertisement = self._offer(node, reading)
        if loaded.setting is not None and advertisement.registers:
            numbers = device_numbers(plugged.layout.spec)
            for resource in plugged.node.start_plugin(advertisement, loaded.setting, numbers):
                plugged.node.manager.disconnect(resource, LONG_AGO_US)

    def restart_kubelet(self, node: str) -> None:
        """It knows of no device before a plugin registers again."""
        plugged = self._plugged[node]
        plugged.node.manager.restart(self._now_us)
        self._plan_report(plugged)
        self._plan_expiry(plugged)

    def follow(self, node: FleetNode) -> None:
        """The node is there, cordoned, tainted or down."""
        plugged = self._plugged[node.name]
        if self._started and not plugged.node.is_present:
            self._trace.write(NodeJoined(self._now_us, node.name))
        plugged.node.is_present, plugged.node.is_cordoned = True, node.cordoned
        before, was_silent = plugged.node.taint, plugged.node.is_silent
        plugged.node.taint = UNREACHABLE if node.down else OTHER_TAINT if node.tainted else None
        plugged.node.is_silent = node.silent
        if not self._started:
            return
        silent = self._world.unreachable
        if node.silent and not was_silent:
            silent.fall_silent(plugged.node)
        if node.down and before != UNREACHABLE:
            silent.taint(plugged.node)
        if was_silent and not node.silent:
            silent.hear(plugged.node)
            self._report(plugged)
        self._world.look_again(plugged.node)

    def power_off(self, node: str) -> None:
        """The node goes down for a reboot."""
        self._plugged[node].serving.clear()
        self._world.unreachable.power_off(self._plugged[node].node)

    def leave(self, node: str) -> None:
        """The Node object is gone, and with it the Pods on it."""
        plugged = self._plugged[node]
        plugged.node.is_present = False
        plugged.node.seen = {}
        plugged.allocatable.clear()
        plugged.node.is_silent = False
        self._world.evict_all(plugged.node)
        self._world.unreachable.hear(plugged.node)
        self._trace.write(NodeLeft(self._now_us, node))

    # What mig-manager does

    def heard(self, node: str) -> simpy.Event | None:
        """What happens when the node's kubelet, which is silent, is heard again."""
        return self._world.unreachable.heard(node)

    def recut(self, node: str, layout: Layout) -> None:
        """The node's cards are cut so now."""
        plugged = self._plugged[node]
        plugged.layout = Layout(layout.spec, plugged.node, layout.cards)
        write_devices(self._trace, layout.spec)

    # What kubelets report

    @property
    def _now_us(self) -> int:
        return self._trace.now_us

    def _plan_report(self, plugged: _Plugged) -> None:
        """The kubelet's next node status tells what there is then."""
        if not self._started or plugged.node.is_silent:
            return
        period_us, now_us = self._rollout.status_period_us, self._now_us
        at_us = now_us + ((plugged.phase_us - now_us) % period_us if period_us else 0)
        if plugged.reports_us != at_us:
            plugged.reports_us = at_us
            self._at(at_us, plugged)

    def _plan_expiry(self, plugged: _Plugged) -> None:
        """A node status after each resource's time without a plugin is over."""
        manager = plugged.node.manager
        for at_us in {
            expires_us for name in manager.resources if (expires_us := manager.expires_us(name)) is not None
        }:
            if self._started and at_us > self._now_us:
                alarm = self._world.env.timeout(at_us - self._now_us)
                alarm.callbacks.append(lambda _: self._plan_report(plugged))

    def _at(self, at_us: int, plugged: _Plugged) -> None:
        if at_us == self._now_us:
            self._report(plugged)
            return
        alarm = self._world.env.timeout(at_us - self._now_us)
        alarm.callbacks.append(lambda _: self._report(plugged))

    def _report(self, plugged: _Plugged) -> None:
        node = plugged.node
        plugged.reports_us = None
        if (node.is_silent and self._now_us) or not node.is_present:
            return
        changed = node.report(self._now_us)
        for resource in changed:
            capacity, allocatable = node.seen[resource]
            self._trace.write(CapacityChanged(self._now_us, node.name, resource, capacity))
            self._trace.write(AllocatableChanged(self._now_us, node.name, resource, allocatable))
        self._tell_cards(plugged)
        if changed:
            self._world.look_again(node)

    def _tell_cards(self, plugged: _Plugged) -> None:
        """What of the node's allocatable units is on which card."""
        node = plugged.node
        for card in plugged.layout.cards:
            allocatable = node.manager.allocatable_on(card.number)
            for resource in node.listed:
                key, slots = (card.number, resource), allocatable.get(resource, 0)
                if slots != plugged.allocatable.get(key, 0):
                    plugged.allocatable[key] = slots
                    self._trace.write(CardAllocatable(self._now_us, node.name, card.number, resource, slots))

    # What a config makes of a node

    def _offer(self, node: str, reading: Reading) -> Offers:
        """What a plugin with this config offers of the node as it is cut now."""
        spec = self._plugged[node].layout.spec
        text = (spec.config or "") if reading.text is None else reading.text
        key = (text, spec.model.id, spec.count, tuple(share.profile for share in spec.mig))
        offers = self._offers.get(key)
        if offers is None:
            loaded = load(text, env=DEPLOYER_ENVIRONMENT[Deployer.HELM])
            offers = self._offers[key] = (loaded, advertise(loaded, [physical_gpu(spec)] * spec.count))
        return offers


def _share_by_turns(cuts: Sequence[Layout], spend: Spend) -> None:
    """Whoever has a card shares it by turns with whoever else has it, also where its plugin offers it to one Pod alone."""
    turns = TimeSlicing(spend=spend)
    for cut in cuts:
        for card, device in zip(cut.cards, cut.spec.devices, strict=True):
            if isinstance(card.mechanism, Exclusive):
                card.mechanism = turns
            elif isinstance(card.mechanism, Mig) and device.mig is not None:
                card.mechanism = Mig(device.mig, turns, card.mechanism.name)


def _name_of(mechanism: Mechanism, slots: int, *, is_mig: bool) -> str:
    """What the way of sharing is called, by the number of slots that the plugin offers."""
    if isinstance(mechanism, Mps):
        return mechanism.name
    if slots > 1:
        return TimeSlicing.name
    return Mig.name if is_mig else Exclusive.name
