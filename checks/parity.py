"""Three languages that cannot drift apart: pages, headings and what stands under each are the same.

Prose is free; what a reader could count is not: lab fences and code (comments apart), admonitions, tabs,
tables, links, images, footnotes, computed numbers. `parity.lock` then holds a hash of every section's words,
so that a change in one language is reported until its siblings change too or someone says why they need not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from checks.languages import LANGUAGES, apart
from checks.markdown_page import TOP, Element, Page, Section, read_page
from checks.parity_lock import compare_with_lock
from checks.problem import Problem

HEADING_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
IN_ORDER = ("lab", "code block", "admonition", "tab", "table")
COUNTED = ("number",)
ENGLISH_ONLY = (
    "contributing/adding.md",
    "contributing/architecture.md",
    "contributing/decisions.md",
    "contributing/names.md",
)
"""Pages for contributors, which are read beside the code."""
AS_A_SET = ("front matter key", "link", "image", "footnote")

Pages = Mapping[str, Mapping[str, Page]]
"""Pages by path within a language's folder, each by language."""


def check(root: Path) -> list[Problem]:
    """All differences between the languages under `docs/`, and changes that `parity.lock` does not know."""
    pages = read_docs(root)
    return [*differences(pages), *compare_with_lock(root, pages)]


def differences(pages: Pages) -> list[Problem]:
    """All differences between the languages, and what is wrong with a page by itself."""
    problems = [*_page_sets(pages)]
    for path, versions in pages.items():
        for language, page in versions.items():
            problems.extend(_page_defects(_file(language, path), page))
        if len(versions) == len(LANGUAGES):
            problems.extend(_headings(path, versions))
            problems.extend(_contents(path, versions))
    return problems


def read_docs(root: Path) -> dict[str, dict[str, Page]]:
    """Every Markdown page under `docs/`, by path and language, in the order of their paths."""
    pages: dict[str, dict[str, Page]] = {}
    for language in LANGUAGES:
        folder = root / "docs" / language
        for file in sorted(folder.rglob("*.md")):
            path = file.relative_to(folder).as_posix()
            pages.setdefault(path, {})[language] = read_page(file.read_text(encoding="utf-8"), language)
    return dict(sorted(pages.items()))


def _file(language: str, path: str) -> str:
    return f"docs/{language}/{path}"


def _page_sets(pages: Pages) -> Iterator[Problem]:
    for path, versions in pages.items():
        for language in ("en",) if path in ENGLISH_ONLY else LANGUAGES:
            if language not in versions:
                others = " and ".join(other for other in LANGUAGES if other in versions)
                yield Problem(
                    _file(language, path),
                    0,
                    f"the page is missing; it is there in {others}",
                    "write it, or remove the others",
                )


def _page_defects(file: str, page: Page) -> Iterator[Problem]:
    for line, message, remedy in page.defects:
        yield Problem(file, line, message, remedy)
    seen: set[str] = set()
    for section in page.sections[1:]:
        title = f'"{section.title}"'
        if section.id is None:
            yield Problem(
                file, section.line, f"the heading {title} has no explicit id", "end it with {#an-english-id}"
            )
        elif not HEADING_ID.fullmatch(section.id):
            remedy = "use small ASCII letters, digits and single hyphens"
            yield Problem(file, section.line, f'the id "{section.id}" of {title} is not plain ASCII', remedy)
        elif section.id in seen:
            yield Problem(
                file, section.line, f'the id "{section.id}" is used twice', "give each heading its own"
            )
        seen.add(section.id or "")
    yield from _footnote_defects(file, page)


def _footnote_defects(file: str, page: Page) -> Iterator[Problem]:
    references = {note.value: note.line for section in page.sections for note in section.of("footnote")}
    for note, line in references.items():
        if note not in page.footnotes:
            yield Problem(
                file, line, f"footnote [^{note}] has no text", f"add a line [^{note}]: ... at the end"
            )
    for note, text in page.footnotes.items():
        if note not in references:
            yield Problem(
                file, text.line, f"nothing refers to footnote [^{note}]", "refer to it, or remove it"
            )
    yield from _footnote_order(file, page, list(references))


def _footnote_order(file: str, page: Page, referred: list[str]) -> Iterator[Problem]:
    """Python-Markdown numbers footnotes by where their texts stand: in another order a page would read 12, 18, 14."""
    wanted = [note for note in referred if note in page.footnotes]
    found = [note for note in page.footnotes if note in referred]
    for here, there in zip(found, wanted, strict=True):
        if here != there:
            message = (
                f"the text of footnote [^{here}] stands before that of [^{there}], which is referred to first"
            )
            yield Problem(
                file, page.footnotes[here].line, message, "put the texts in the order of their numbers"
            )
            return


def _headings(path: str, versions: Mapping[str, Page]) -> Iterator[Problem]:
    shapes = {
        language: [(section.id, section.level) for section in page.sections[1:]]
        for language, page in versions.items()
    }
    model, others = apart(shapes)
    for language in others:
        page = versions[language]
        index = _first_difference(shapes[language], shapes[model])
        here = page.sections[1:][index] if index < len(shapes[language]) else None
        there = versions[model].sections[1:][index] if index < len(shapes[model]) else None
        line = here.line if here else page.sections[-1].line
        yield Problem(
            _file(language, path),
            line,
            f"the headings part ways here: {_shown(here)}, where {model} has {_shown(there)}",
            "give all languages the same ids in the same order and at the same levels",
        )


def _first_difference(one: list[tuple[str | None, int]], other: list[tuple[str | None, int]]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def _shown(section: Section | None) -> str:
    return f"{'#' * section.level} {{#{section.id or ''}}}" if section else "no further heading"


def _contents(path: str, versions: Mapping[str, Page]) -> Iterator[Problem]:
    ids = [section.id for page in versions.values() for section in page.sections if section.id]
    for section_id in dict.fromkeys(ids):
        sections = {language: page.section(section_id) for language, page in versions.items()}
        found = {language: section for language, section in sections.items() if section}
        if len(found) == len(LANGUAGES):
            for kind in (*IN_ORDER, *COUNTED, *AS_A_SET):
                yield from _kind(path, section_id, kind, found)


def _kind(path: str, section_id: str, kind: str, sections: Mapping[str, Section]) -> Iterator[Problem]:
    elements = {language: section.of(kind) for language, section in sections.items()}
    values = {language: _comparable(kind, found) for language, found in elements.items()}
    model, others = apart(values)
    place = "the top of the page" if section_id == TOP else f"section #{section_id}"
    for language in others:
        lines = {element.value: element.line for element in elements[language]}
        here, there = Counter(values[language]), Counter(values[model])
        file, start = _file(language, path), sections[language].line
        if kind in ("lab", "code block") and len(values[language]) == len(values[model]):
            yield from _changed_code(file, kind, model, elements[language], elements[model])
            continue
        for value in (there - here).elements():
            yield Problem(
                file,
                start,
                f"{place} lacks the {kind} {_short(value)} that {model} has",
                f"add it, or remove it in {model}",
            )
        for value in (here - there).elements():
            message = f"{place} has the {kind} {_short(value)} that {model} lacks"
            yield Problem(file, lines[value], message, f"remove it, or add it in {model}")
        if here == there:
            yield Problem(
                file, start, f"{place} has its {kind}s in another order than {model}", "use one order"
            )


def _comparable(kind: str, elements: tuple[Element, ...]) -> list[str]:
    values = [element.value for element in elements]
    if kind in AS_A_SET:
        return sorted(set(values))
    return sorted(values) if kind in COUNTED else values


def _short(value: str) -> str:
    line = " / ".join(part.strip() for part in value.split("\n") if part.strip())
    return f'"{line if len(line) <= 70 else line[:67] + "..."}"'


def _changed_code(
    file: str, kind: str, model: str, here: tuple[Element, ...], there: tuple[Element, ...]
) -> Iterator[Problem]:
    for one, other in zip(here, there, strict=True):
        if one.value != other.value:
            mine, theirs = one.value.split("\n"), other.value.split("\n")
            index = next(
                (i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b),
                min(len(mine), len(theirs)),
            )
            a, b = ("".join(lines[index : index + 1]).strip() for lines in (mine, theirs))
            message = f'the {kind} differs from the one in {model}: "{a}" against "{b}"'
            yield Problem(file, one.line, message, "make them equal; only comments may differ")
