"""The tokens of a YAML text, and the error that go-yaml v2 refuses one with."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from labs.config.goyaml.nodes import Segment


class TokenKind(Enum):
    """The kinds of token, named as in libyaml."""

    STREAM_START = auto()
    STREAM_END = auto()
    VERSION_DIRECTIVE = auto()
    TAG_DIRECTIVE = auto()
    DOCUMENT_START = auto()
    DOCUMENT_END = auto()
    BLOCK_SEQUENCE_START = auto()
    BLOCK_MAPPING_START = auto()
    BLOCK_END = auto()
    FLOW_SEQUENCE_START = auto()
    FLOW_SEQUENCE_END = auto()
    FLOW_MAPPING_START = auto()
    FLOW_MAPPING_END = auto()
    BLOCK_ENTRY = auto()
    FLOW_ENTRY = auto()
    KEY = auto()
    VALUE = auto()
    ALIAS = auto()
    ANCHOR = auto()
    TAG = auto()
    SCALAR = auto()


class Mark(NamedTuple):
    """A place in the text: 0-based offset, line and column."""

    offset: int
    line: int
    column: int


class Token(NamedTuple):
    """A token: `value` is its text (handle of a tag), `suffix` a tag's rest or a directive's second part."""

    kind: TokenKind
    start: Mark
    end: Mark
    value: str = ""
    suffix: str = ""
    style: str = ""
    segments: tuple[Segment, ...] = ()


class GoYamlError(ValueError):
    """What go-yaml v2 refuses a text with: its message (after `yaml: `) and where it was noticed."""

    def __init__(self, message: str, offset: int | None) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
