"""Can the MIG devices of an entry exist on a card together?

mig-parted tries every order of the wanted devices and puts a compute instance into the GPU instance before it where that has
the same profile and room; so a config fits if there is any way to lay the GPU instances out
(`pkg/mig/config/config.go`, `SetMigConfig`).
"""

from __future__ import annotations

from collections.abc import Mapping

from labs.config.gojson import GoError
from labs.config.mig_parted.profile import ProfileName, parse_profile
from labs.hardware.catalog import GpuModel, UnknownFigureError
from labs.hardware.mig import Layout, find_device, place_in_any_order


def fits(mig_devices: Mapping[str, int], model: GpuModel) -> bool | None:
    """Whether the card can have these MIG devices at once; None where the catalog does not know where a profile may lie."""
    if model.compute_slices is None:
        return None
    wanted: list[str] = []
    for text, count in mig_devices.items():
        if count == 0:
            continue
        name = _parsed(text)
        if name is None or find_device(str(name), model) is None:
            return False
        if count * name.compute_instance_slices > model.compute_slices:
            return False
        wanted += [str(name)] * count
    try:
        return place_in_any_order(Layout.empty(model), wanted).placeable
    except UnknownFigureError:
        return None


def _parsed(text: str) -> ProfileName | None:
    try:
        return parse_profile(text)
    except GoError:
        return None
