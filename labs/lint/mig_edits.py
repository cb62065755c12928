"""Edits of a MIG config's names: another text in the quotes that are there."""

from __future__ import annotations

from labs.config.yaml_nodes import Mapping, Node, Scalar
from labs.lint.edits import replace
from labs.lint.finding import Edit

_QUOTES = {"plain": "", "single": "'", "double": '"'}


def respell(node: Node, text: str) -> Edit | None:
    """Writes another name in a scalar's place, in the same quotes; the name needs none itself."""
    mark = _QUOTES.get(node.style) if isinstance(node, Scalar) else None
    return None if mark is None else replace(node, f"{mark}{text}{mark}")


def respell_key(mapping: Node | None, key: Node, text: str) -> Edit | None:
    """Writes another name in a key's place; None where the map has that key already."""
    taken = isinstance(mapping, Mapping) and mapping.entry(text) is not None
    return None if taken else respell(key, text)
