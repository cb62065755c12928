"""What loaders refuse: the place in the text, the kind of mistake, and what mends it."""

from labs.lint.refusals.further import further
from labs.lint.refusals.place import beginning, error_text, refusal, syntax_refusal
from labs.lint.refusals.value import Refusal, bounded

__all__ = [
    "Refusal",
    "beginning",
    "bounded",
    "error_text",
    "further",
    "refusal",
    "syntax_refusal",
]
