"""What loaders refuse: the place in the text, the kind of mistake, what mends it; `further` is a module for refused files."""

from labs.lint.refusals.place import beginning, error_text, refusal, syntax_refusal
from labs.lint.refusals.value import Refusal, bounded

__all__ = [
    "Refusal",
    "beginning",
    "bounded",
    "error_text",
    "refusal",
    "syntax_refusal",
]
