"""The files of `tests/cases/reports`, judged as `gpulab check` judges what is given together."""

from __future__ import annotations

from pathlib import Path

from labs.hardware.catalog import builtin_catalog
from labs.lint.core import SourceFile, lint, read, together
from labs.lint.subject import Settings

REPORTS = Path(__file__).parent / "cases" / "reports"
KNOWING = Settings(catalog=builtin_catalog())


def sources(texts: dict[str, str], settings: Settings = KNOWING) -> tuple[SourceFile, ...]:
    """Files that are given together, by their paths."""
    return together([read(path, text, settings) for path, text in texts.items()], settings)


def case(name: str) -> dict[str, str]:
    """The texts of a case's files, by their paths below its folder; a file alone by its name."""
    place = REPORTS / name
    if place.is_file():
        return {place.name: place.read_text("utf-8")}
    files = sorted(file for file in place.rglob("*") if file.is_file())
    return {file.relative_to(place).as_posix(): file.read_text("utf-8") for file in files}


def said(texts: dict[str, str], settings: Settings = KNOWING) -> list[str]:
    """What is found, a line each: file, line and column, code and variant."""
    files = sources(texts, settings)
    findings = lint(files, settings)
    return [
        f"{file.path}:{each.span.start} {each.code} {each.variant}".rstrip()
        for file in files
        for each in findings[file.path]
    ]


def kinds(texts: dict[str, str], settings: Settings = KNOWING) -> list[str]:
    """The documents, a line each: line, kind and key."""
    return [
        f"{each.document.line} {each.document.kind} {each.document.key or ''}".rstrip()
        for file in sources(texts, settings)
        for each in file.documents
    ]
