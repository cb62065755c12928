"""What the GPU instances of a card have to share beside memory slices.

Compute slices follow from the spans on every card known; they are counted since they say best why something
can never fit. Media engines (NVDEC, NVENC, JPEG, OFA) belong to one instance each: together instances own at
most what the profile of the whole card owns, so beside a `+me.all` only `-me` fits. One instance at most has the
media extensions (`+me`, `+me.all`). Sources: `nvidia-smi mig -lgip` (engines and instances of every
profile), NVIDIA MIG User Guide ("A single 1g profile can include media extensions"); that engines add up
is inferred from the guide's configurations of the RTX PRO 6000 (4+0+0+0).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from labs.hardware.catalog import GpuModel, MigProfile

MEDIA_EXTENSIONS = frozenset({"+me", "+me.all"})


class Limit(StrEnum):
    """What of a card some GPU instances need more of than there is."""

    COMPUTE_SLICES = "compute-slices"
    MEMORY_SLICES = "memory-slices"
    MEDIA_ENGINES = "media-engines"
    INSTANCES = "instances"


def broken_limit(model: GpuModel, profiles: Iterable[MigProfile]) -> Limit | None:
    """The first limit that instances of these profiles break together wherever they lie; None if they keep all."""
    wanted = tuple(profiles)
    if model.compute_slices is not None and _compute_slices(wanted) > model.compute_slices:
        return Limit.COMPUTE_SLICES
    if model.memory_slices is not None and _memory_slices(wanted) > model.memory_slices:
        return Limit.MEMORY_SLICES
    if sum(1 for profile in wanted if MEDIA_EXTENSIONS & set(profile.attributes)) > 1:
        return Limit.MEDIA_ENGINES
    if any(
        most is not None and sum(owned) > most
        for most, *owned in zip(
            _media_of_the_card(model), *(_media(profile) for profile in wanted), strict=True
        )
    ):
        return Limit.MEDIA_ENGINES
    counts = Counter(profile.name for profile in wanted)
    most_of = {profile.name: profile.max_instances.value for profile in wanted}
    if any(most is not None and counts[name] > most for name, most in most_of.items()):
        return Limit.INSTANCES
    return None


def _media_of_the_card(model: GpuModel) -> tuple[int | None, ...]:
    """What the profile of the whole card owns; None for a count not found."""
    whole = max(model.mig_profiles, key=lambda profile: profile.compute_slices, default=None)
    engines = None if whole is None else whole.engines.value
    if engines is None:
        return (None,) * 4
    return engines.decoders, engines.encoders, engines.jpeg, engines.ofa


def _media(profile: MigProfile) -> tuple[int, ...]:
    engines = profile.engines.value
    if engines is None:
        return (0,) * 4
    return engines.decoders or 0, engines.encoders or 0, engines.jpeg or 0, engines.ofa or 0


def _compute_slices(profiles: tuple[MigProfile, ...]) -> int:
    return sum(profile.compute_slices for profile in profiles)


def _memory_slices(profiles: tuple[MigProfile, ...]) -> int:
    return sum(profile.memory_slices or 0 for profile in profiles)
