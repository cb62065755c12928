"""The two charts whose values are read, and how files name them."""

from __future__ import annotations

import re
from enum import StrEnum


class Chart(StrEnum):
    """A chart by the name that its repository gives it."""

    PLUGIN = "nvidia-device-plugin"
    OPERATOR = "gpu-operator"


_PLUGIN = re.compile(r"(?:nvidia-(?:k8s-)?|k8s-)device-plugin(?:-(?:chart|helm|oci|repo))?")
_OPERATOR = re.compile(r"(?:nvidia-)?gpu-operator(?:-(?:chart|helm|oci|repo))?")
_VERSION = re.compile(r"(?:-v?\d[\w.+-]*)?\.tgz$|[:@].*$")
_OF_OTHERS = re.compile(r"rocm|amd|intel|habana|ascend", re.IGNORECASE)
_NVIDIA = re.compile(r"(?:^|[/:@.])nvidia(?:[/.]|$)", re.IGNORECASE)
_LONGEST = 500
_MENTION = re.compile(r"gpu-operator|device-?plugin", re.IGNORECASE)
_NAMED = re.compile(r"""["'](?:[\w.:@/-]*/)?(?P<name>nvidia-device-plugin|gpu-operator)["']""")


def chart_named(name: str) -> Chart | None:
    """The chart that a reference is about: a name, a repository's alias with one, an OCI address, a folder, an archive."""
    if len(name) > _LONGEST or _OF_OTHERS.search(name):
        return None
    last = _VERSION.sub("", name.rstrip("/").rpartition("/")[2])
    if _PLUGIN.fullmatch(last):
        return Chart.PLUGIN
    return Chart.OPERATOR if _OPERATOR.fullmatch(last) else None


def is_nvidia(address: str) -> bool:
    """Whether a repository is one of NVIDIA's own, so that a folder in it is the chart itself."""
    return len(address) <= _LONGEST and _NVIDIA.search(address) is not None


def of_others(address: str) -> bool:
    """Whether a repository is that of another maker of cards, who may have a chart of the same name."""
    return _OF_OTHERS.search(address[:_LONGEST]) is not None


def mentions(text: str) -> bool:
    """Whether a text may be about one of the charts at all."""
    return _MENTION.search(text) is not None


def quoted_name(text: str) -> tuple[Chart, int] | None:
    """The first of the charts that a program names in quotes, and the offset of the name."""
    match = _NAMED.search(text)
    return None if match is None else (Chart(match["name"]), match.start("name"))
