"""YAML as go-yaml v2 reads it: the same trees, the same errors, with a place for every node.

`read` is the door; all else are the types of what it gives, and what Go makes of them. Nothing here knows the rest of `labs`.
"""

from labs.config.goyaml import nodes
from labs.config.goyaml.composer import Composed
from labs.config.goyaml.nodes import (
    Entry,
    Mapping,
    Node,
    Scalar,
    ScalarKind,
    Segment,
    Sequence,
    find,
    is_merge,
    merged,
)
from labs.config.goyaml.positions import LineIndex, Position, Span, replace_span
from labs.config.goyaml.scalars import parse_int
from labs.config.goyaml.source import from_bytes, from_text
from labs.config.goyaml.tree import (
    DEFAULT_LIMITS,
    LimitError,
    Limits,
    YamlError,
    YamlStream,
    YamlSyntaxError,
    read,
    read_all,
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
    "DecodeError",
    "Entry",
    "GoMap",
    "GoValue",
    "LimitError",
    "Limits",
    "LineIndex",
    "Mapping",
    "Node",
    "Position",
    "Scalar",
    "ScalarKind",
    "Segment",
    "Sequence",
    "Span",
    "TooManyNodesError",
    "YamlError",
    "YamlStream",
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
    "replace_span",
    "scientific",
    "type_name",
]
