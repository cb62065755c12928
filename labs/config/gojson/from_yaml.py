"""A file as the JSON that the loaders decode: YAML as go-yaml v2 reads it, then `sigs.k8s.io/yaml`'s conversion."""

from __future__ import annotations

from collections.abc import Callable

from labs.config.gojson.decode import GoError, Json, Path, to_json
from labs.config.goyaml import (
    DecodeError,
    LimitError,
    Limits,
    Node,
    TooManyNodesError,
    YamlStream,
    YamlSyntaxError,
    decode,
)


def read_json(
    text: str | bytes, limits: Limits, is_text: Callable[[Path], bool], root: Node | None = None
) -> Json:
    """The first document's value; None for an empty file. `is_text` is as for `to_json`.

    `root` is the first document's, where the text was read already: reading is most of the work.

    Raises `GoError` with the library's own text, and `LimitError`.
    """
    try:
        if root is None:
            first = YamlStream(text, limits).next()
            if first is None:
                return None
            root = first.node
        return to_json(decode(root, max_depth=limits.depth, max_nodes=limits.nodes), is_text)
    except YamlSyntaxError as error:
        raise GoError(error.message) from None
    except DecodeError as error:
        raise GoError(f"yaml: {error.message}", code="yaml") from None
    except TooManyNodesError as error:
        raise LimitError(str(error), error.node.place.start) from None
