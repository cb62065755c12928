"""Which of the MIG configs given the MIG manager goes by, as far as the files tell."""

from __future__ import annotations

from labs.config.documents import Kind
from labs.config.manifests.objects import MigDocument
from labs.lint.meaning import of_reference
from labs.lint.subject import LintDocument, Subject


def in_effect(subject: Subject) -> tuple[tuple[LintDocument, MigDocument], ...]:
    """The configs of mig-parted that count: those in the ConfigMaps that the operator's settings name.

    Without such settings all. With settings that name none: none, since the MIG manager then makes configs of its own.
    """
    if not subject.operators:
        return subject.migs
    holders = {
        id(choice.document.document)
        for document, operator in subject.operators
        for choice in of_reference(subject, document, operator.mig_manager_config)
    }
    named = any(operator.mig_manager_config.name is not None for _, operator in subject.operators)
    if not named:
        return ()
    return tuple(
        (document, mig)
        for document, mig in subject.migs
        if document.kind is Kind.MIG_PARTED and id(document.document.container) in holders
    )
