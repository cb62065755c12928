"""Reads a YAML tree against what a format allows, collecting every problem with its place.

For the formats that are ours (scenarios, labs): every unknown, repeated or missing key is an error, values
are checked where they stand, and reading goes on after a problem so that a person sees all of them at once.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterable
from collections.abc import Sequence as AbstractSequence
from fractions import Fraction
from typing import TypeVar

from labs.config.goyaml import Mapping, Node, Scalar, ScalarKind, Sequence, merged
from labs.config.own import units
from labs.config.own.problem import Problem, ProblemsError

T = TypeVar("T")

QUOTED_LIMIT = 80  # characters of a value that a message quotes
PROBLEMS_KEPT = 100  # of one text; nobody mends more at a time
SUGGESTIONS = 50  # unknown keys of one map for which a near one is looked for


class Problems:
    """The problems found so far."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []

    def add(self, code: str, node: Node, **values: str | int) -> None:
        """Notes a problem at the start of `node`, or of the alias that stands for it."""
        start = node.place.start
        self._problems.append(Problem(code, start.line, start.column, values))

    def withdraw(self, code: str, node: Node, **values: str | int) -> None:
        """Takes back a problem that another explains; nothing where it was not noted."""
        start = node.place.start
        problem = Problem(code, start.line, start.column, values)
        if problem in self._problems:
            self._problems.remove(problem)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._problems)

    def raise_if_any(self) -> None:
        """Raises ProblemsError with all problems (at most PROBLEMS_KEPT) in the order of the text."""
        if self._problems:
            ordered = sorted(self._problems, key=lambda problem: (problem.line, problem.column, problem.key))
            raise ProblemsError(tuple(ordered[:PROBLEMS_KEPT]), more=len(ordered[PROBLEMS_KEPT:]))


def quoted(node: Node) -> str:
    """What a message quotes of a value: a scalar's text, cut to a bearable length, or what kind of value it is."""
    if isinstance(node, Scalar):
        text = node.text if node.kind is not ScalarKind.NULL else "null"
        return (text if len(text) <= QUOTED_LIMIT else text[:QUOTED_LIMIT] + "…") or '""'
    return "{…}" if isinstance(node, Mapping) else "[…]"


def nearest(name: str, allowed: Iterable[str]) -> str:
    """The allowed name most like `name`, or "" where none is near (case and separators do not count)."""
    plain = {_plain(candidate): candidate for candidate in allowed}
    matches = difflib.get_close_matches(_plain(name[:QUOTED_LIMIT]), plain, n=1, cutoff=0.6)
    return plain[matches[0]] if matches else ""


def _plain(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


class Fields:
    """The keys of one map.

    Ask for each with its type; what was never asked for is unknown (see `finish`).
    """

    def __init__(self, node: Node | None, problems: Problems, *, where: str = "") -> None:
        self._problems = problems
        self._where = where
        self._values: dict[str, Node] = {}
        self._keys: dict[str, Node] = {}
        self._asked: dict[str, None] = {}
        self.node = node
        if isinstance(node, Mapping):
            self._collect(node)
        elif node is not None:
            problems.add("wrong-type", node, value=quoted(node), expected="map", key=where)

    def _collect(self, node: Mapping) -> None:
        own = Counter(entry.name for entry in node.entries)
        for entry in merged(node):
            name = entry.name
            if name is None:
                self._problems.add(
                    "wrong-type", entry.key, value=quoted(entry.key), expected="string", key=self._where
                )
                continue
            if own[name] > 1 and name in self._values:
                self._problems.add("duplicate-key", entry.key, key=name)
            self._values[name], self._keys[name] = entry.value, entry.key

    def key(self, name: str) -> Node | None:
        """The key's own node, for a problem with the key."""
        return self._keys.get(name)

    def optional(self, name: str) -> Node | None:
        """The value, or None where the key is missing or its value is null."""
        self._asked[name] = None
        node = self._values.pop(name, None)
        return None if isinstance(node, Scalar) and node.kind is ScalarKind.NULL else node

    def required(self, name: str) -> Node | None:
        """The value; notes a problem at the map where it is missing."""
        node = self.optional(name)
        if node is None and isinstance(self.node, Mapping):
            self._problems.add("missing-key", self.node, key=name)
        return node

    def finish(
        self, allowed: AbstractSequence[str] | None = None, reserved: AbstractSequence[str] = ()
    ) -> None:
        """Notes every key that is not allowed; one that stands for another, misspelt, is not missing as well.

        Allowed is what was asked for, in that order; who asks only for some of the keys, or in another order than people
        write them, hands in which are. `reserved` names are kept for later versions of the format.
        """
        allowed = tuple(self._asked) if allowed is None else allowed
        for number, name in enumerate(self._values):
            key = self._keys[name]
            if name in reserved:
                self._problems.add("reserved-key", key, key=name)
            elif name not in allowed:
                near = nearest(name, allowed) if number < SUGGESTIONS else ""
                code = "unknown-key-near" if near else "unknown-key"
                values = {"key": quoted(key), "allowed": ", ".join(allowed)}
                self._problems.add(code, key, **values, **({"near": near} if near else {}))
                if near and self.node is not None:
                    self._problems.withdraw("missing-key", self.node, key=near)


class Values:
    """Reads single values; each method returns None (and notes a problem) where the value is not of the form."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems

    def text(self, node: Node | None, key: str) -> str | None:
        """A string (numbers and booleans are not taken for one)."""
        if node is None:
            return None
        if isinstance(node, Scalar) and node.kind in (ScalarKind.STRING, ScalarKind.TIMESTAMP):
            return node.text
        taken_for_other = isinstance(node, Scalar) and node.kind is not ScalarKind.NULL
        code = "needs-quotes" if taken_for_other else "wrong-type"
        expected = {} if taken_for_other else {"expected": "string"}
        self.problems.add(code, node, value=quoted(node), key=key, **expected)
        return None

    def version(self, node: Node | None, known: int) -> None:
        """The version of a format: the number that this program reads."""
        if node is not None and not (
            isinstance(node, Scalar) and node.value == known and node.kind is ScalarKind.INT
        ):
            self.problems.add("unknown-format", node, value=quoted(node), known=known)

    def one_of(self, node: Node | None, key: str, allowed: AbstractSequence[str]) -> str | None:
        """One of the allowed words."""
        if node is None:
            return None
        if isinstance(node, Scalar) and node.text in allowed:
            return node.text
        self.problems.add("not-one-of", node, value=quoted(node), key=key, allowed=", ".join(allowed))
        return None

    def integer(self, node: Node | None, key: str, minimum: int, maximum: int) -> int | None:
        """A whole number within the bounds."""
        if node is None:
            return None
        if not isinstance(node, Scalar) or node.kind is not ScalarKind.INT or not isinstance(node.value, int):
            self.problems.add(
                "not-a-whole-number", node, value=quoted(node), key=key, minimum=minimum, maximum=maximum
            )
            return None
        return self._bounded(node, key, node.value, minimum, maximum)

    def _bounded(self, node: Node, key: str, value: int, minimum: int, maximum: int) -> int | None:
        if minimum <= value <= maximum:
            return value
        self.problems.add(
            "out-of-range", node, value=quoted(node), key=key, minimum=str(minimum), maximum=str(maximum)
        )
        return None

    def duration_us(
        self, node: Node | None, key: str, minimum_us: int, maximum_us: int, minimum: str, maximum: str
    ) -> int | None:
        """A Go duration within the bounds, in microseconds; `minimum` and `maximum` are the bounds as written."""
        value = self._form(node, key, "bad-duration", units.duration_us)
        if value is None or node is None or minimum_us <= value <= maximum_us:
            return value
        self.problems.add("out-of-range", node, value=quoted(node), key=key, minimum=minimum, maximum=maximum)
        return None

    def bytes(self, node: Node | None, key: str, maximum: int, maximum_text: str) -> int | None:
        """A memory quantity in bytes."""
        value = self._form(node, key, "bad-quantity", units.quantity_bytes)
        if value is None or node is None or value <= maximum:
            return value
        self.problems.add(
            "out-of-range", node, value=quoted(node), key=key, minimum="0", maximum=maximum_text
        )
        return None

    def rate(self, node: Node | None, key: str, maximum: int) -> Fraction | None:
        """Events per second, more than 0."""
        value = self._form(node, key, "bad-rate", units.rate_per_s)
        if value is None or node is None or 0 < value <= maximum:
            return value
        self.problems.add(
            "out-of-range", node, value=quoted(node), key=key, minimum="> 0/s", maximum=f"{maximum}/s"
        )
        return None

    def share(self, node: Node | None, key: str, minimum: Fraction, maximum: Fraction) -> Fraction | None:
        """A fraction or percentage within the bounds."""
        value = self._form(node, key, "bad-share", units.share)
        if value is None or node is None or minimum <= value <= maximum:
            return value
        self.problems.add(
            "out-of-range",
            node,
            value=quoted(node),
            key=key,
            minimum=str(float(minimum)),
            maximum=str(float(maximum)),
        )
        return None

    def cores(self, node: Node | None, key: str, minimum: Fraction, maximum: int) -> Fraction | None:
        """CPU cores within the bounds."""
        value = self._form(node, key, "bad-cores", units.cores)
        if value is None or node is None or minimum <= value <= maximum:
            return value
        bounds = {"minimum": str(float(minimum)), "maximum": str(maximum)}
        self.problems.add("out-of-range", node, value=quoted(node), key=key, **bounds)
        return None

    def _form(self, node: Node | None, key: str, code: str, parse: Callable[[str], T | None]) -> T | None:
        if node is None:
            return None
        value = parse(node.text) if isinstance(node, Scalar) else None
        if value is None:
            self.problems.add(code, node, value=quoted(node), key=key)
        return value

    def items(self, node: Node | None, key: str, maximum: int) -> tuple[Node, ...]:
        """The items of a list (a problem where it is none, is empty or has too many)."""
        if node is None:
            return ()
        if not isinstance(node, Sequence):
            self.problems.add("wrong-type", node, value=quoted(node), expected="list", key=key)
            return ()
        if not 1 <= len(node.items) <= maximum:
            self.problems.add("list-length", node, key=key, found=len(node.items), maximum=maximum)
            return ()
        return node.items

    def optional_items(self, node: Node | None, key: str, maximum: int) -> tuple[Node, ...]:
        """The items of a list that may be left out, which is what an empty one says."""
        if isinstance(node, Sequence) and not node.items:
            return ()
        return self.items(node, key, maximum)
