"""Rules about a file as such: GL1xx."""

from __future__ import annotations

from labs.lint.rules.files import (
    duplicate_key,
    ignore_without_reason,
    invisible_characters,
    key_case,
    manifest_as_config,
    misplaced_key,
    more_than_one_document,
    not_yaml,
    number_form,
    refused_by_loader,
    unknown_key,
)
from labs.lint.subject import Rule

RULES: tuple[Rule, ...] = (
    refused_by_loader.RULE,
    not_yaml.RULE,
    unknown_key.RULE,
    misplaced_key.RULE,
    key_case.RULE,
    duplicate_key.RULE,
    more_than_one_document.RULE,
    invisible_characters.RULE,
    manifest_as_config.RULE,
    number_form.RULE,
    ignore_without_reason.RULE,
)
