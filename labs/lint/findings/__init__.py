"""Findings: what a rule says about a place, and the edits of a fix."""

from labs.lint.findings.edits import (
    add_member,
    add_under,
    edited,
    has_anchor,
    line_index,
    remove_at,
    remove_item,
    remove_member,
    rename,
    replace,
    rewrite,
)
from labs.lint.findings.finding import Argument, Edit, Finding, Fix, Related, Severity
from labs.lint.findings.fixing import fixed
from labs.lint.findings.ignores import Ignore, ignores, unsilenced
from labs.lint.findings.near import MOST_NAMES, NearNames, listed

__all__ = [
    "MOST_NAMES",
    "Argument",
    "Edit",
    "Finding",
    "Fix",
    "Ignore",
    "NearNames",
    "Related",
    "Severity",
    "add_member",
    "add_under",
    "edited",
    "fixed",
    "has_anchor",
    "ignores",
    "line_index",
    "listed",
    "remove_at",
    "remove_item",
    "remove_member",
    "rename",
    "replace",
    "rewrite",
    "unsilenced",
]
