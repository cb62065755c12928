"""The form labs by their id, in the order of `gpulab lab list`, made when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from labs.teaching.form_lab.lab import FormLab
from labs.teaching.lab import Data


def _four_ways(data: Data) -> FormLab:
    from labs.teaching.form_lab.four_ways import four_ways

    return four_ways(data)


def _estimate(data: Data) -> FormLab:
    from labs.teaching.form_lab.estimate_lab import estimate_lab

    return estimate_lab(data)


def _may_they(data: Data) -> FormLab:
    from labs.teaching.form_lab.may_they import may_they_lab

    return may_they_lab(data)


def _announce(data: Data) -> FormLab:
    from labs.teaching.form_lab.announce_lab import announce_lab

    return announce_lab(data)


FORM_LABS: Mapping[str, Callable[[Data], FormLab]] = {
    "four-ways": _four_ways,
    "estimate": _estimate,
    "may-they": _may_they,
    "announce": _announce,
}
