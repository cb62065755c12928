"""The linter: which rules there are, which speak, and running them over files."""

from labs.lint.core.clusters import clusters, judged
from labs.lint.core.explanation import ExampleFile, ExplanationError, explanation
from labs.lint.core.linter import SourceFile, joined, lint, read, together
from labs.lint.core.node_use import UnusedNodes, nodes_of, unused_nodes
from labs.lint.core.selection import Selection

__all__ = [
    "ExampleFile",
    "ExplanationError",
    "Selection",
    "SourceFile",
    "UnusedNodes",
    "clusters",
    "explanation",
    "joined",
    "judged",
    "lint",
    "nodes_of",
    "read",
    "together",
    "unused_nodes",
]
