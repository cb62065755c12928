"""Texts in the formats that are ours (scenarios, labs, node files): one YAML document each."""

from __future__ import annotations

from labs.config.goyaml import (
    DEFAULT_LIMITS,
    LimitError,
    Limits,
    Node,
    Scalar,
    ScalarKind,
    YamlError,
    read_all,
)
from labs.config.own.problem import Problem, ProblemsError


def read_document(text: str, *, limits: Limits = DEFAULT_LIMITS) -> Node | None:
    """The root of the text's only document; None where it holds nothing.

    Raises ProblemsError where the text is no YAML, is more than `limits` allow, or goes on with a second document:
    whoever wrote that one believes that it counts.
    """
    try:
        documents = read_all(text, limits=limits)
    except YamlError as error:
        line, column = error.position or (1, 1)
        key = "yaml-limit" if isinstance(error, LimitError) else "yaml"
        raise ProblemsError((Problem(key, line, column, {"detail": error.message}),)) from None
    for document in documents[1:]:
        if not _is_empty(document):
            line, column = document.place.start
            raise ProblemsError((Problem("second-document", line, column, {}),))
    return documents[0] if documents else None


def _is_empty(document: Node) -> bool:
    return isinstance(document, Scalar) and document.kind is ScalarKind.NULL and not document.text
