"""A rule: its code for ever, its name, how bad what it finds is, and the generator that looks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from labs.config.goyaml import Node, Span
from labs.lint.findings import Argument, Finding, Fix, Related, Severity
from labs.lint.subject.settings import Settings
from labs.lint.subject.subject import LintDocument, Subject

Check = Callable[[Subject], Iterator[Finding]]
Place = Span | Node


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule's metadata and its check.

    `doc` is the module's docstring, which has the headings that `labs.lint.core.explanation` reads. A rule with
    `explains_refusal` says why a loader refuses the document, better than the loader's own text does. An `optional` rule
    is a note that holds of every such file; it speaks when it is selected by its code. `variants` are the kinds of finding
    that have words of their own, `notes` what it says of other places. `example_settings` are the settings under
    which the docstring's examples are meant; `fixable` says whether it ever offers a fix. `lab` is the page below
    `labs/` on which what it finds can be tried.
    """

    code: str
    slug: str
    severity: Severity
    since: str
    check: Check
    doc: str | None
    variants: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    explains_refusal: bool = False
    optional: bool = False
    fixable: bool = False
    lab: str = ""
    example_settings: Settings = field(default_factory=Settings)

    def at(
        self,
        document: LintDocument,
        place: Place,
        *,
        severity: Severity | None = None,
        variant: str = "",
        related: Sequence[Related] = (),
        fix: Fix | None = None,
        scenario: str = "",
        **arguments: Argument,
    ) -> Finding:
        """A finding at a place of a document's own text. Raises ValueError for a variant or a note that is not declared."""
        undeclared = {variant, *(relation.note for relation in related)} - {"", *self.variants, *self.notes}
        if undeclared:
            raise ValueError(f"{self.code} does not declare {sorted(undeclared)}")
        return Finding(
            self.code,
            self.slug,
            severity or self.severity,
            document.path,
            document.outer(place),
            tuple(arguments.items()),
            variant,
            tuple(related),
            fix,
            document.index,
            scenario,
        )
