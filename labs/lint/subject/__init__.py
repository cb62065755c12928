"""What rules look at: the files given together, and what the reader says beside them."""

from labs.lint.subject.rule import Place, Rule
from labs.lint.subject.settings import NEWEST_PLUGIN, Settings
from labs.lint.subject.subject import LintDocument, Subject

__all__ = [
    "NEWEST_PLUGIN",
    "LintDocument",
    "Place",
    "Rule",
    "Settings",
    "Subject",
]
