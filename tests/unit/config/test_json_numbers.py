"""Numbers as Go's `encoding/json` writes them, which the loaders' errors quote."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.config.gojson import dump, number
from labs.config.plugin.loader import load


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (0.5, "0.5"),
        (123.25, "123.25"),
        (1e20, "100000000000000000000"),
        (999999999999999900000.0, "999999999999999900000"),
        (1e21, "1e+21"),
        (-1e21, "-1e+21"),
        (1.5e300, "1.5e+300"),
        (0.000001, "0.000001"),
        (0.00000123, "0.00000123"),
        (0.0000001, "1e-7"),
        (-1.25e-10, "-1.25e-10"),
        (10**21, "1" + "0" * 21),
    ],
)
def test_a_number_has_an_exponent_from_1e21_and_below_1e_minus_6(value: float, text: str) -> None:
    assert number(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_as_itself_and_has_an_exponent_only_out_of_bounds(value: float) -> None:
    text = number(value)
    assert float(json.loads(text)) == value
    assert ("e" in text) is not (value == 0 or 1e-6 <= abs(value) < 1e21)


@pytest.mark.parametrize(
    ("written", "quoted"), [("1e20", "100000000000000000000"), ("1e21", "1e+21"), ("1.5", "1.5")]
)
def test_the_loaders_error_quotes_a_number_as_go_does(written: str, quoted: str) -> None:
    resource = f"{{name: nvidia.com/gpu, replicas: {written}}}"
    answer = load(f"version: v1\nsharing:\n  timeSlicing:\n    resources: [{resource}]\n")
    assert f"cannot unmarshal number {quoted} into" in str(answer.error)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (1, "1"),
        (1.5, "1.5"),
        ('a"\\\n\t<&>\x01\u2028é', '"a\\"\\\\\\n\\t\\u003c\\u0026\\u003e\\u0001\\u2028é"'),
        ([], "[]"),
        ([None, 1, "a"], '[null,1,"a"]'),
        ({}, "{}"),
        ({"a": [True], "b": {"c": None}}, '{"a":[true],"b":{"c":null}}'),
    ],
)
def test_a_value_is_written_compact_with_html_characters_escaped(value: object, text: str) -> None:
    assert dump(value) == text
