"""Formats that are ours are one YAML document: what is more, or too much, is told, in every reader of one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from labs.cluster.gpu import read_node_file
from labs.config.goyaml.nodes import Mapping
from labs.config.own.problem import ProblemsError
from labs.config.own.text import read_document
from labs.library import builtin_library
from labs.report.writing.problems import problem_words
from labs.simulation.scenario.reader import read_scenario
from labs.teaching.scenario_lab.reader import read_lab


def scenario_reader(text: str) -> object:
    return read_scenario(text, builtin_library().catalog)


Reader = Callable[[str], object]
READERS: list[Reader] = [read_document, scenario_reader, read_lab, read_node_file]


def problem(read: Reader, text: str) -> tuple[str, int, int]:
    with pytest.raises(ProblemsError) as caught:
        read(text)
    [found] = caught.value.problems
    for messages in builtin_library().messages.values():
        assert all(problem_words(found, messages))
    return found.key, found.line, found.column


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\n---\nb: 2\n", ("second-document", 3, 1)),
        ("a: 1\n--- !!map\n  {b: 2}\n", ("second-document", 2, 5)),
        ("---\n---\na: 1\n", ("second-document", 3, 1)),
        ("a: 1\n---\n---\n- b\n", ("second-document", 4, 1)),
        ("a: 1\n...\n---\nnull\n", ("second-document", 4, 1)),
        ("a: 1\n---\nb: [\n", ("yaml", 4, 1)),
        ("x" * 10_000_000, ("yaml-limit", 1, 1)),
        ("[" * 500 + "]" * 500, ("yaml-limit", 1, None)),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else None,
)
def test_what_is_not_one_document_has_its_place(
    read: Reader, text: str, expected: tuple[str, int, int | None]
) -> None:
    key, line, column = problem(read, text)
    assert (key, line) == expected[:2]
    assert expected[2] in (None, column)


@pytest.mark.parametrize(
    "text", ["a: 1\n", "---\na: 1\n", "a: 1\n...\n", "a: 1\n---\n", "a: 1\n---\n# end\n"]
)
def test_marks_of_a_documents_ends_are_no_second_document(text: str) -> None:
    found = read_document(text)
    assert isinstance(found, Mapping)
    assert [entry.name for entry in found] == ["a"]


@pytest.mark.parametrize("text", ["", "# nothing\n"])
def test_nothing_is_no_document(text: str) -> None:
    assert read_document(text) is None
