"""Reads `mig:` of a node's cards: the MIG devices that every one of them is cut into."""

from __future__ import annotations

from labs.config.goyaml import Node
from labs.config.own import Values, nearest, quoted
from labs.hardware.catalog import GpuModel, UnknownFigureError
from labs.hardware.mig import Layout, place_in_any_order
from labs.simulation.scenario.mig_share import mig_share
from labs.simulation.scenario.scenario import MigShare

MOST_DEVICES = 64


class MigReader:
    """Reads one list of profiles; without any, MIG mode is off."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def read(self, node: Node | None, model: GpuModel) -> tuple[MigShare, ...]:
        """The devices in the order written, which is the plugin's; none where there were problems with them."""
        if node is None:
            return ()
        problems = self._values.problems
        if not model.supports_mig:
            problems.add("mig-none", node, model=model.id)
            return ()
        shares: list[MigShare] = []
        items = self._values.items(node, "mig", MOST_DEVICES)
        for item in items:
            name = self._values.text(item, "mig")
            profile = None if name is None else model.mig_profile(name)
            if name is not None and profile is None:
                known = [profile_there.name for profile_there in model.mig_profiles]
                near = nearest(name, known)
                values = {"allowed": ", ".join(known), "model": model.id, "value": quoted(item)}
                if near:
                    problems.add("mig-profile-near", item, near=near, **values)
                else:
                    problems.add("mig-profile", item, **values)
            elif profile is not None:
                try:
                    shares.append(mig_share(model, profile))
                except UnknownFigureError:
                    problems.add("mig-unknown-figure", item, value=quoted(item), model=model.id)
        if len(shares) < len(items) or not shares:
            return ()
        return tuple(shares) if self._fits(node, model, [share.profile for share in shares]) else ()

    def _fits(self, node: Node, model: GpuModel, profiles: list[str]) -> bool:
        try:
            placeable = place_in_any_order(Layout.empty(model), profiles).placeable
        except UnknownFigureError:
            self._values.problems.add("mig-unknown-figure", node, value=", ".join(profiles), model=model.id)
            return False
        if not placeable:
            self._values.problems.add("mig-no-room", node, value=", ".join(profiles), model=model.id)
        return placeable
