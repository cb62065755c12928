"""Spans of memory slices as bit masks, and the search for spans that do not overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def span(start: int, size: int) -> int:
    """The slices `start` to `start + size - 1` as a bit mask."""
    return ((1 << size) - 1) << start


def lay_out(choices: Sequence[Sequence[int]], taken: int) -> tuple[int, ...] | None:
    """For each of `choices` the index of one of its spans, so that none overlaps another or the slices taken.

    Exact: None means that there is no such selection. The first selection in the order of the choices is
    found, so a greedy choice that works is the one returned.
    """
    dead_ends: set[tuple[int, int]] = set()
    chosen: list[int] = []

    def lay(position: int, taken: int) -> bool:
        if position == len(choices):
            return True
        if (position, taken) in dead_ends:
            return False
        for index, candidate in enumerate(choices[position]):
            if not candidate & taken:
                chosen.append(index)
                if lay(position + 1, taken | candidate):
                    return True
                chosen.pop()
        dead_ends.add((position, taken))
        return False

    return tuple(chosen) if lay(0, taken) else None


def most_disjoint(spans: Iterable[int], taken: int) -> int:
    """How many of the spans can be had at once beside the slices taken.

    Taking what ends first is exact for spans without holes.
    """
    count = 0
    for candidate in sorted(spans):
        if not candidate & taken:
            taken |= candidate
            count += 1
    return count
