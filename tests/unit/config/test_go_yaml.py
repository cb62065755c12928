"""Our YAML reader against go-yaml v2 itself.

``go-yaml.jsonl`` holds what ``yaml.Unmarshal`` of gopkg.in/yaml.v2 v2.4.0 answered, into ``interface{}``: its error, or the
value with every scalar as ``type:text`` and every map as its sorted entries. The inputs are configs of ``config.jsonl`` and
small texts of all of YAML's forms, mutated at random; some as raw bytes in other encodings (``base64``).

``go-yaml-edges.jsonl`` holds its answers at the edges of what it takes: each escape, indicator and form of a number, the
lengths up to which a key or a number is one, the first and the last character of each width. Where a row has a ``comment``,
one of so many characters stands before the text, so that the first 512 bytes, which go-yaml's reader decodes together, end
inside it: the rows show how far it looks ahead of an error.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from labs.config.goyaml.tree import DEFAULT_LIMITS, YamlStream, YamlSyntaxError
from labs.config.goyaml.values import DecodeError, GoMap, GoValue, decode, format_float, type_name
from tests.unit.config.cases import rows

RECORDED = rows("go-yaml.jsonl")
EDGES = rows("go-yaml-edges.jsonl")


def shown(value: GoValue) -> Any:
    """A Go value in the form of the recorded ones."""
    if isinstance(value, GoMap):
        pairs = [["<nil>:<nil>" if key is None else shown(key), shown(item)] for key, item in value]
        return {"map": sorted(pairs, key=lambda pair: (pair[0], json.dumps(pair[1])))}
    if isinstance(value, list):
        return [shown(item) for item in value]
    if value is None:
        return None
    if isinstance(value, bool):
        return "bool:true" if value else "bool:false"
    text = format_float(value) if isinstance(value, float) else str(value)
    return f"{type_name(value)}:{text}"


def answer(text: str | bytes) -> tuple[str, Any]:
    try:
        first = YamlStream(text, DEFAULT_LIMITS).next()
        return "value", None if first is None else shown(decode(first.node, max_depth=100, max_nodes=10_000))
    except YamlSyntaxError as error:
        return "error", error.message
    except DecodeError as error:
        return "error", f"yaml: {error.message}"


def text_of(row: dict[str, Any]) -> str | bytes:
    if "base64" in row:
        return base64.b64decode(row["base64"])
    text: str = row["yaml"]
    return f"#{'x' * row['comment']}\n{text}" if "comment" in row else text


def expected(row: dict[str, Any]) -> tuple[str, Any]:
    return ("error", row["error"]) if "error" in row else ("value", row["value"])


@pytest.mark.parametrize("row", RECORDED, ids=range(len(RECORDED)))
def test_a_text_means_what_it_means_to_go_yaml(row: dict[str, Any]) -> None:
    assert answer(text_of(row)) == expected(row)


def test_a_text_at_the_edge_of_a_form_means_what_it_means_to_go_yaml() -> None:
    assert len(EDGES) > 1500
    for row in EDGES:
        assert (row, *answer(text_of(row))) == (row, *expected(row))


def test_a_text_and_its_bytes_mean_the_same() -> None:
    texts = [row["yaml"] for row in RECORDED if "yaml" in row]

    assert [answer(text) for text in texts] == [answer(text.encode()) for text in texts]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 10_001, "yaml: exceeded max depth of 10000"),
        ("a: 1\n" + "b" * 1100 + ": 2\n", "yaml: line 2: could not find expected ':'"),
        ("a: b\n" + "c" * 600 + "\x01", "yaml: control characters are not allowed"),
        ("a: b: c\n" + "c" * 600 + "\x01", "yaml: mapping values are not allowed in this context"),
        ("a: &x [*x]", "yaml: anchor 'x' value contains itself"),
        ("a: [" + ", ".join(["&b [1,2,3,4,5,6,7,8,9]"] + ["*b"] * 400) + "]", None),
    ],
    ids=[
        "depth",
        "long key",
        "late control character",
        "error before it",
        "anchor in itself",
        "many aliases",
    ],
)
def test_hostile_texts_are_answered_as_go_yaml_does(text: str, message: str | None) -> None:
    kind, found = answer(text)

    assert (found if kind == "error" else None) == message


def test_an_explosion_of_aliases_is_refused() -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]

    assert answer("\n".join(levels)) == ("error", "yaml: document contains excessive aliasing")


PLAIN = st.text(alphabet="abcxyzÀ한日 _-.", min_size=1, max_size=12).map(lambda text: "k" + text + "k")
TREES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**9), 10**9), PLAIN, st.text(max_size=20)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PLAIN, inner, max_size=4),
    max_leaves=20,
)


def python_value(value: GoValue) -> Any:
    if isinstance(value, GoMap):
        return {key: python_value(item) for key, item in value}
    return [python_value(item) for item in value] if isinstance(value, list) else value


@given(TREES, st.booleans(), st.booleans(), st.sampled_from([None, '"', "'", "|", ">"]))
def test_what_pyyaml_writes_is_read_back(tree: Any, flow: bool, wide: bool, style: str | None) -> None:
    text = yaml.safe_dump(
        tree, default_flow_style=flow, width=200 if wide else 20, allow_unicode=wide, default_style=style
    )
    if style is not None:
        tree = yaml.safe_load(text)

    first = YamlStream(text, DEFAULT_LIMITS).next()

    assert first is not None
    assert python_value(decode(first.node, max_depth=100, max_nodes=10_000)) == tree
