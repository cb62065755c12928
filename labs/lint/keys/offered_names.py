"""The names that the device plugin gives to resources, and the one that a wrong name may have meant."""

from __future__ import annotations

import difflib

from labs.cluster.node_labels import GPU_RESOURCE, mig_resource_name
from labs.hardware.catalog import Catalog

MIG_PREFIX = "nvidia.com/mig-"
MEDIA_EXTENSIONS = ".me"
"""The end of the names of slices with media extensions; before v0.20 they were offered by the name of those without."""
SUGGESTIONS = 50
"""Wrong names of one config for which a near one is looked for."""
_DOMAIN = "nvidia.com"
_SHARED = ".shared"


def offered_names(catalog: Catalog | None, plugin_version: tuple[int, int]) -> frozenset[str] | None:
    """All names that a node can offer, not renamed; None without a catalog, which knows the profiles."""
    if catalog is None:
        return None
    profiles = {profile.name for model in catalog.models for profile in model.mig_profiles}
    names = {mig_resource_name(profile) for profile in profiles}
    if plugin_version < (0, 20):
        names = {name for name in names if not name.endswith(MEDIA_EXTENSIONS)}
    return frozenset({GPU_RESOURCE, *names})


def can_exist(name: str, offered: frozenset[str] | None) -> bool:
    """Whether a node may offer a resource of this name; without knowing profiles every MIG name may be one."""
    if name == GPU_RESOURCE:
        return True
    return name.startswith(MIG_PREFIX) if offered is None else name in offered


def nearest_name(name: str, offered: frozenset[str] | None) -> str:
    """The resource that a wrong name may have meant, or nothing."""
    plain = _plain(name)
    candidates = {_plain(candidate): candidate for candidate in sorted(offered or {GPU_RESOURCE})}
    matches = difflib.get_close_matches(plain, candidates, n=1, cutoff=0.7)
    return candidates[matches[0]] if matches else ""


def _plain(name: str) -> str:
    """What of a name tells resources apart: without the domain, however it is joined, and without what renaming adds."""
    rest = name.removeprefix(_DOMAIN + "/").removeprefix(_DOMAIN).removeprefix(".").removesuffix(_SHARED)
    return rest.removeprefix("mig-") if rest.startswith("mig-") else rest
