"""JSON as `sigs.k8s.io/yaml` makes it of YAML, and decoding in the manner of Go."""

from labs.config.gojson.decode import (
    Context,
    ConversionError,
    Decoding,
    GoError,
    Json,
    TypeMismatchError,
    dump,
    fold,
    kind,
    number,
    parse_integer,
    to_json,
    unmarshal_bool,
    unmarshal_fields,
    unmarshal_int,
    unmarshal_list,
    unmarshal_text,
)
from labs.config.gojson.from_yaml import read_json

__all__ = [
    "Context",
    "ConversionError",
    "Decoding",
    "GoError",
    "Json",
    "TypeMismatchError",
    "dump",
    "fold",
    "kind",
    "number",
    "parse_integer",
    "read_json",
    "to_json",
    "unmarshal_bool",
    "unmarshal_fields",
    "unmarshal_int",
    "unmarshal_list",
    "unmarshal_text",
]
