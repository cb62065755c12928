"""Reading YAML into a tree with a place for every node (`labs.config.goyaml.nodes`), as go-yaml v2 reads it.

Scanner and parser are our own (`scanner`, `parser`): which texts are taken, and the words and line of an error, are the
loaders', not PyYAML's.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.goyaml.composer import Composed, Composer, TooDeepError, TooManyError
from labs.config.goyaml.nodes import Node
from labs.config.goyaml.positions import LineIndex, Position
from labs.config.goyaml.source import from_bytes, from_text
from labs.config.goyaml.tokens import GoYamlError


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
    """A text that cannot be read: `message` says why, `position` where it was noticed (None: nowhere in particular)."""

    def __init__(self, message: str, position: Position | None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


class YamlSyntaxError(YamlError):
    """Not YAML as go-yaml v2 reads it; `message` is go-yaml's, with its `yaml: ` and its own count of lines."""


class LimitError(YamlError):
    """The text is larger, deeper or more repetitive than `Limits` allow."""


class YamlStream:
    """A text to be read document by document; raises `LimitError` where it is longer than allowed.

    `text` is what its places refer to, `error` what is not readable in it. Its nodes are counted as they are read unless
    `counts` is false; aliases are not followed here, so whoever walks a tree along them asks for its `problem` first.
    """

    def __init__(self, content: str | bytes, limits: Limits, *, counts: bool = True) -> None:
        if len(content) > limits.characters:
            raise LimitError(f"the text is longer than {limits.characters} characters", None)
        source = from_text(content) if isinstance(content, str) else from_bytes(content)
        self.text, self.error = source.text, source.error
        self.index = LineIndex(source.text)
        self._limits = limits
        self._composer = Composer(source, self.index, limits.depth, limits.nodes if counts else sys.maxsize)
        self._size = 0

    def next(self) -> Composed | None:
        """The next document; None behind the last. Raises `YamlSyntaxError` and `LimitError`."""
        try:
            return self._composer.next_document()
        except GoYamlError as error:
            position = None if error.offset is None else self.index.position(error.offset)
            raise YamlSyntaxError(f"yaml: {error.message}", position) from None
        except TooDeepError as error:
            position = self.index.position(error.offset)
            raise LimitError(f"nested more than {self._limits.depth} levels deep", position) from None
        except TooManyError:
            raise LimitError(TOO_MANY.format(self._limits.nodes), None) from None

    def __iter__(self) -> Iterator[Composed]:
        while (composed := self.next()) is not None:
            yield composed

    def problem(self, composed: Composed) -> YamlError | None:
        """Why a document cannot be walked along its aliases, those asked about before counted in."""
        loop, limits = composed.self_reference, self._limits
        if loop is not None:
            return YamlSyntaxError(f"yaml: anchor '{loop.anchor}' value contains itself", loop.place.start)
        if composed.depth > limits.depth:
            return LimitError(f"aliases nest more than {limits.depth} levels deep", composed.node.span.start)
        if self._size + composed.size > limits.nodes:
            return LimitError(TOO_MANY.format(limits.nodes), None)
        self._size += composed.size
        return None


def read(text: str, *, limits: Limits = DEFAULT_LIMITS) -> Node | None:
    """The root of the first document; None for an empty stream. What follows the first document is not looked at.

    Raises `YamlSyntaxError` and `LimitError`; the tree can be walked along its aliases at bearable cost.
    """
    kept = _kept(text, limits)
    if kept is not None:
        return kept[0] if kept else None
    stream = YamlStream(text, limits)
    first = stream.next()
    return None if first is None else _checked(stream, (first,))[0]


def read_all(text: str | bytes, *, limits: Limits = DEFAULT_LIMITS) -> tuple[Node, ...]:
    """The roots of all documents of a stream, in order, as `read` gives them; an empty document is a null scalar."""
    kept = _kept(text, limits) if isinstance(text, str) else None
    if kept is not None:
        return kept
    stream = YamlStream(text, limits)
    return _checked(stream, tuple(stream))


def _kept(text: str, limits: Limits) -> tuple[Node, ...] | None:
    """The roots of a text no longer than a lab's, where nothing is wrong with it.

    A scenario is read for what it says, and once for each control of its form, and a build reads it for each place that
    speaks of the lab.
    """
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
        stream = YamlStream(text, DEFAULT_LIMITS)
        documents = tuple(stream)
        _checked(stream, documents)
    except YamlError:
        return None
    return documents


def _checked(stream: YamlStream, documents: tuple[Composed, ...]) -> tuple[Node, ...]:
    """The roots, if their aliases can be followed."""
    for document in documents:
        problem = stream.problem(document)
        if problem is not None:
            raise problem
    return tuple(document.node for document in documents)
