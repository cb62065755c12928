"""The single values that rollout scenarios have beside those of `labs.config.own.fields`."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction

from labs.cluster.daemonset import IntOrPercent
from labs.config.goyaml import Node, Scalar, ScalarKind, Sequence
from labs.config.own import SUGGESTIONS, Problems, Values, nearest, quoted, units

MAX_SECONDS = 1_000_000  # of any time of a rollout
MAX_NODES_NAMED = 5_000
INT32 = 2**31 - 1
NAMES_LISTED = 10  # in a message
LABEL_VALUE = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")
NAME = re.compile(r"[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?")
_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")


def seconds_us(text: str) -> int | None:
    """Microseconds of `60`, `1.5` (seconds) or a Go duration such as `1m30s`."""
    if _DECIMAL.fullmatch(text):
        return round(Fraction(text) * 1_000_000)
    return units.duration_us(text)


class RolloutValues(Values):
    """Reads single values; each method notes a problem where the value is not of the form."""

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._unknown = 0  # nodes named that are not there
        self._some = ""  # of those that are

    def seconds_us(self, node: Node | None, key: str, *, minimum_us: int = 0) -> int | None:
        """A time in seconds, or as a Go duration, in microseconds."""
        if node is None:
            return None
        duration_us = seconds_us(node.text) if isinstance(node, Scalar) else None
        if duration_us is None:
            self.problems.add("bad-seconds", node, value=quoted(node), key=key)
        elif not minimum_us <= duration_us <= MAX_SECONDS * 1_000_000:
            minimum = "0" if minimum_us == 0 else "> 0"
            self.problems.add(
                "out-of-range", node, value=quoted(node), key=key, minimum=minimum, maximum=str(MAX_SECONDS)
            )
            return None
        return duration_us

    def boolean(self, node: Node | None, key: str) -> bool | None:
        """True or false."""
        if node is None:
            return None
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        self.problems.add("not-one-of", node, value=quoted(node), key=key, allowed="true, false")
        return None

    def int_or_percent(self, node: Node | None, key: str) -> IntOrPercent | None:
        """An IntOrString, as the API server's decoder takes it: a 32-bit whole number or any string."""
        if node is None:
            return None
        if isinstance(node, Scalar):
            if (
                node.kind is ScalarKind.INT
                and isinstance(node.value, int)
                and -INT32 - 1 <= node.value <= INT32
            ):
                return node.value
            if node.kind is ScalarKind.STRING:
                return node.text
        self.problems.add("not-int-or-percent", node, value=quoted(node), key=key)
        return None

    def name(self, node: Node | None, key: str) -> str | None:
        """The name of an object."""
        name = self.text(node, key)
        if name is not None and node is not None and not NAME.fullmatch(name):
            self.problems.add("bad-name", node, value=quoted(node))
            return None
        return name

    def label(self, node: Node | None, key: str) -> str | None:
        """The value of a label: text of Kubernetes' form, or empty."""
        if node is None:
            return None
        label = node.text if isinstance(node, Scalar) else None
        if label is None or not LABEL_VALUE.fullmatch(label):
            self.problems.add("bad-label-value", node, value=quoted(node), key=key)
            return None
        return label

    def nodes(self, node: Node | None, known: Collection[str]) -> tuple[tuple[str, ...], bool]:
        """One node, a list of them, or `all`: their names, and whether it is all."""
        if node is None:
            return (), False
        if isinstance(node, Scalar) and node.text == "all":
            return (), True
        items = self.items(node, "nodes", MAX_NODES_NAMED) if isinstance(node, Sequence) else (node,)
        among = known if isinstance(known, frozenset | set) else frozenset(known)
        names: list[str] = []
        for item in items:
            name = self.text(item, "nodes")
            if name is None or not among:
                continue
            if name in among:
                names.append(name)
                continue
            self._unknown += 1
            if self._unknown <= SUGGESTIONS:
                listed = sorted(among)
                self._some = ", ".join(listed[:NAMES_LISTED])
            near = (nearest(name, listed) if self._unknown <= SUGGESTIONS else "") or self._some
            self.problems.add("unknown-node", item, value=quoted(item), near=near)
        return tuple(names), False
