"""Reading YAML into a tree with a place for every node (``labs.config.goyaml.nodes``), as go-yaml v2 reads it.

The scanner and the parser are our own (``go_yaml_scanner``, ``go_yaml_parser``): which texts are taken, and the words and
line of an error, are the loaders', not PyYAML's.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from labs.config.goyaml.composer import Composed, Composer, TooDeepError, TooManyError
from labs.config.goyaml.nodes import (
    Entry,
    Mapping,
    Node,
    Scalar,
    ScalarKind,
    Segment,
    SelfReference,
    Sequence,
    find,
    is_merge,
    merged,
)
from labs.config.goyaml.positions import LineIndex, Position, Span, replace_span
from labs.config.goyaml.source import Source, from_bytes, from_text
from labs.config.goyaml.tokens import GoYamlError

__all__ = [
    "DEFAULT_LIMITS",
    "Document",
    "Entry",
    "LimitError",
    "Limits",
    "Mapping",
    "Node",
    "Position",
    "Scalar",
    "ScalarKind",
    "Segment",
    "SelfReference",
    "Sequence",
    "Span",
    "YamlError",
    "YamlSyntaxError",
    "find",
    "is_merge",
    "merged",
    "read",
    "read_all",
    "read_source",
    "replace_span",
]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a text may cost: characters, nesting depth, and nodes after aliases are expanded."""

    characters: int = 2_000_000
    depth: int = 128
    nodes: int = 300_000


DEFAULT_LIMITS = Limits()
TOO_MANY = "more than {} values with aliases followed"
KEPT, KEPT_CHARACTERS = 32, 10_000  # trees of the latest texts, where each is no longer than a lab's


class YamlError(ValueError):
    """A text that cannot be read: ``message`` says why, ``position`` where it was noticed (None: nowhere in particular)."""

    def __init__(self, message: str, position: Position | None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


class YamlSyntaxError(YamlError):
    """Not YAML as go-yaml v2 reads it; ``message`` is go-yaml's, with its ``yaml: `` and its own count of lines."""


class LimitError(YamlError):
    """The text is larger, deeper or more repetitive than ``Limits`` allow."""


@dataclass(frozen=True, slots=True)
class Document:
    """What ``read_source`` found: the decoded text, and the first document's root (None for an empty stream)."""

    text: str
    root: Node | None


def read(text: str, *, limits: Limits = DEFAULT_LIMITS) -> Node | None:
    """The root of the first document; None for an empty stream. What follows the first document is not looked at.

    Raises ``YamlSyntaxError`` and ``LimitError``; the tree can be walked along its aliases at bearable cost.
    """
    kept = _kept(text, limits)
    if kept is not None:
        return kept[0] if kept else None
    documents = _documents(_source(text, limits), limits, first_only=True)
    return _checked(documents, limits)[0] if documents else None


def read_all(text: str | bytes, *, limits: Limits = DEFAULT_LIMITS) -> tuple[Node, ...]:
    """The roots of all documents of a stream, in order, as ``read`` gives them; an empty document is a null scalar."""
    kept = _kept(text, limits) if isinstance(text, str) else None
    if kept is not None:
        return kept
    return _checked(_documents(_source(text, limits), limits, first_only=False), limits)


def _kept(text: str, limits: Limits) -> tuple[Node, ...] | None:
    """The roots of a text no longer than a lab's, where nothing is wrong with it: a scenario is read for what it says, and
    once for each control of its form, and a build reads it for each place that speaks of the lab."""
    whole = _whole(text) if len(text) <= min(KEPT_CHARACTERS, limits.characters) else None
    if whole is None or any(document.depth > limits.depth for document in whole):
        return None
    if sum(document.size for document in whole) > limits.nodes:
        return None
    return tuple(document.node for document in whole)


@functools.lru_cache(KEPT)
def _whole(text: str) -> tuple[Composed, ...] | None:
    """All documents; None where something is wrong, also behind the first."""
    try:
        documents = _documents(_source(text, DEFAULT_LIMITS), DEFAULT_LIMITS, first_only=False)
        _checked(documents, DEFAULT_LIMITS)
    except YamlError:
        return None
    return documents


def read_source(text: str | bytes, *, limits: Limits = DEFAULT_LIMITS) -> Document:
    """The first document of a text or of raw bytes, with the text that its places refer to.

    For the loaders, which judge aliases in their own way: these are not checked here, so whoever walks the tree must count.
    """
    source = _source(text, limits)
    documents = _documents(source, limits, first_only=True)
    return Document(source.text, documents[0].node if documents else None)


def _checked(documents: tuple[Composed, ...], limits: Limits) -> tuple[Node, ...]:
    """The roots, if their aliases can be followed."""
    for document in documents:
        loop = document.self_reference
        if loop is not None:
            raise YamlSyntaxError(f"yaml: anchor '{loop.anchor}' value contains itself", loop.place.start)
        if document.depth > limits.depth:
            raise LimitError(f"aliases nest more than {limits.depth} levels deep", document.node.span.start)
    if sum(document.size for document in documents) > limits.nodes:
        raise LimitError(TOO_MANY.format(limits.nodes), None)
    return tuple(document.node for document in documents)


def _source(text: str | bytes, limits: Limits) -> Source:
    if len(text) > limits.characters:
        raise LimitError(f"the text is longer than {limits.characters} characters", None)
    return from_text(text) if isinstance(text, str) else from_bytes(text)


def _documents(source: Source, limits: Limits, *, first_only: bool) -> tuple[Composed, ...]:
    index = LineIndex(source.text)
    composer = Composer(source, index, limits.depth, limits.nodes)
    found: list[Composed] = []
    try:
        while not (first_only and found):
            root = composer.next_document()
            if root is None:
                break
            found.append(root)
    except GoYamlError as error:
        position = None if error.offset is None else index.position(error.offset)
        raise YamlSyntaxError(f"yaml: {error.message}", position) from None
    except TooDeepError as error:
        raise LimitError(
            f"nested more than {limits.depth} levels deep", index.position(error.offset)
        ) from None
    except TooManyError:
        raise LimitError(TOO_MANY.format(limits.nodes), None) from None
    return tuple(found)
