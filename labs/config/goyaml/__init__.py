"""YAML as go-yaml v2 reads it: the same trees, the same errors, with a place for every node."""

from labs.config.goyaml import nodes
from labs.config.goyaml.composer import Composed, Composer, TooDeepError
from labs.config.goyaml.nodes import (
    Entry,
    Mapping,
    Node,
    Scalar,
    ScalarKind,
    Sequence,
    find,
    is_merge,
    merged,
)
from labs.config.goyaml.positions import LineIndex, Position, Span, replace_span
from labs.config.goyaml.scalars import parse_int
from labs.config.goyaml.source import from_bytes, from_text
from labs.config.goyaml.tokens import GoYamlError
from labs.config.goyaml.tree import (
    DEFAULT_LIMITS,
    LimitError,
    Limits,
    YamlError,
    YamlSyntaxError,
    read,
    read_all,
    read_source,
)
from labs.config.goyaml.values import (
    DecodeError,
    GoMap,
    GoValue,
    TooManyNodesError,
    decimal_parts,
    decode,
    format_float,
    go_syntax,
    positional,
    quote,
    scientific,
    type_name,
)

__all__ = [
    "DEFAULT_LIMITS",
    "Composed",
    "Composer",
    "DecodeError",
    "Entry",
    "GoMap",
    "GoValue",
    "GoYamlError",
    "LimitError",
    "Limits",
    "LineIndex",
    "Mapping",
    "Node",
    "Position",
    "Scalar",
    "ScalarKind",
    "Sequence",
    "Span",
    "TooDeepError",
    "TooManyNodesError",
    "YamlError",
    "YamlSyntaxError",
    "decimal_parts",
    "decode",
    "find",
    "format_float",
    "from_bytes",
    "from_text",
    "go_syntax",
    "is_merge",
    "merged",
    "nodes",
    "parse_int",
    "positional",
    "quote",
    "read",
    "read_all",
    "read_source",
    "replace_span",
    "scientific",
    "type_name",
]
