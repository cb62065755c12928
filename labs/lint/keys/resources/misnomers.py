"""Names of GPU resources that no node offers, and what each was meant to be.

NVIDIA's plugin advertises `nvidia.com/gpu` and, for each MIG profile, `nvidia.com/mig-<profile>` with `.` for `+`; a
shared resource may end in `.shared` (`internal/rm/device_map.go`, `api/config/v1/resources.go`). Other programs have
names of their own under `nvidia.com/`: only what is a slip of the pen away from the plugin's names counts as a misspelling.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from enum import StrEnum

from labs.hardware.catalog import Catalog

_DOMAIN = "nvidia.com"
_PREFIX = "nvidia.com/"
_MIG_PREFIX = "nvidia.com/mig-"
_LONGEST = 200

_GPU = re.compile(r"gpu(?:\.shared)?")
_MIG = re.compile(r"mig-[1-9]\d{0,2}g\.(?:0|[1-9]\d{0,3})gb(?:[.-][a-z][a-z0-9]*)*", re.ASCII)
_ALMOST_MIG = re.compile(
    r"mig[^0-9a-z]*(?P<compute>\d{1,2}c[^0-9a-z]*)?(?P<slices>\d{1,3})g[^0-9a-z]*(?P<memory>\d{1,4})gi?b(?P<rest>.*)",
    re.ASCII | re.DOTALL,
)
_SOME_MIG = re.compile(r"mig[^0-9a-z]*\d", re.ASCII)
_ATTRIBUTES = ("me", "all", "gfx", "shared")
_GPU_SLIPS = ("gpu", "gpus", "gup", "pgu", "gpuu", "ggpu", "gp")
_SHARED_SLIPS = ("gpushared", "gpusshared", "gpushare")
_OLD_NAME = "alpha.kubernetes.io/nvidia-gpu"
_NVIDIA_BEFORE = re.compile(r"(?:www\.)?nvidia(?:\.com)?[^a-z0-9]*")


class Slip(StrEnum):
    """How a name misses: no domain at all, another domain than NVIDIA's, nothing that a node has under NVIDIA's."""

    UNQUALIFIED = "unqualified"
    OTHER_DOMAIN = "other-domain"
    NO_SUCH = "no-such"


@dataclass(frozen=True, slots=True)
class Misnomer:
    """A name that no node offers; `meant` is the one it stands for, empty where that can't be told.

    `certain` tells a name that can have meant nothing else.
    """

    slip: Slip
    meant: str
    certain: bool


def is_gpu_resource(name: str) -> bool:
    """Whether NVIDIA's plugin may advertise this name for GPUs or MIG devices."""
    return name.startswith(_PREFIX) and _advertised(name.removeprefix(_PREFIX))


def is_mig_resource(name: str) -> bool:
    """Whether it is the name of MIG devices of a profile."""
    return name.startswith(_MIG_PREFIX) and is_gpu_resource(name)


def mig_resources(catalog: Catalog | None) -> tuple[str, ...]:
    """The names of the MIG devices of all cards that are known."""
    if catalog is None:
        return ()
    names = (profile.name for model in catalog.models for profile in model.mig_profiles)
    return tuple(sorted({_MIG_PREFIX + name.replace("+", ".") for name in names}))


def misnomer(name: str) -> Misnomer | None:
    """What is wrong with a resource's name that was to be a GPU of NVIDIA's; None where nothing is, or it can't be told."""
    if len(name) > _LONGEST:
        return None
    domain, slash, tail = name.partition("/")
    if not slash:
        return _unqualified(name)
    if domain == _DOMAIN:
        return _no_such(tail)
    if name == _OLD_NAME:
        return Misnomer(Slip.OTHER_DOMAIN, _PREFIX + "gpu", True)
    meant = tail if _advertised(tail) else _meant(tail)
    if meant and _is_nearly_nvidias(domain):
        return Misnomer(Slip.OTHER_DOMAIN, _PREFIX + meant, True)
    return None


def _advertised(tail: str) -> bool:
    return _GPU.fullmatch(tail) is not None or _MIG.fullmatch(tail) is not None


def _unqualified(name: str) -> Misnomer | None:
    low = name.casefold()
    before = _NVIDIA_BEFORE.match(low)
    tail = low[before.end() :] if before else low
    if before and not tail:
        return Misnomer(Slip.UNQUALIFIED, _PREFIX + "gpu", False)
    meant = tail if _advertised(tail) else _meant(tail)
    if meant:
        return Misnomer(Slip.UNQUALIFIED, _PREFIX + meant, before is not None or meant.startswith("mig-"))
    return Misnomer(Slip.UNQUALIFIED, "", False) if before else None


def _no_such(tail: str) -> Misnomer | None:
    if _advertised(tail):
        return None
    meant = _meant(tail)
    if meant:
        # A compute instance has no resource of its own: the one of its GPU instance is another thing.
        compute = re.match(r"mig[^0-9a-z]*\d+c", tail.casefold()) is not None
        return Misnomer(Slip.NO_SUCH, _PREFIX + meant, not compute)
    some_mig = _SOME_MIG.match(tail.casefold())
    return None if some_mig is None else Misnomer(Slip.NO_SUCH, "", False)


def _meant(tail: str) -> str:
    """The name without its domain that this one, not one itself, is a misspelling of; empty where of none."""
    low = tail.casefold()
    plain = re.sub(r"[^a-z0-9]", "", low)
    if plain in _GPU_SLIPS:
        return "gpu"
    if plain in _SHARED_SLIPS:
        return "gpu.shared"
    match = _ALMOST_MIG.fullmatch(low)
    if match is None or int(match["slices"]) == 0:
        return ""
    attributes = [word for word in re.split(r"[^a-z0-9]+", match["rest"]) if word]
    if any(word not in _ATTRIBUTES for word in attributes):
        return ""
    return ".".join([f"mig-{int(match['slices'])}g", f"{int(match['memory'])}gb", *attributes])


def _is_nearly_nvidias(domain: str) -> bool:
    low = domain.casefold().removeprefix("www.").rstrip(".")
    if low in (_DOMAIN, "nvidia"):
        return True
    return 8 <= len(low) <= 12 and difflib.SequenceMatcher(None, low, _DOMAIN).ratio() >= 0.85
