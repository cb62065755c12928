"""JSON as `sigs.k8s.io/yaml` makes it from YAML, and `encoding/json` decodes it: keys, text fields, numbers, places."""

from __future__ import annotations

import math

import pytest

from labs.config.gojson import (
    ConversionError,
    DecodeContext,
    Decoding,
    GoError,
    Json,
    TypeMismatchError,
    fold,
    kind,
    read_json,
    unmarshal_bool,
    unmarshal_fields,
    unmarshal_int,
    unmarshal_list,
    unmarshal_text,
    within,
)
from labs.config.gojson.decode import object_key, parse_integer
from labs.config.goyaml import DEFAULT_LIMITS
from labs.config.plugin.fields import is_text_field

LARGEST, SMALLEST = (1 << 63) - 1, -(1 << 63)


def converted(text: str, *text_fields: tuple[str, ...]) -> Json:
    return read_json(text, DEFAULT_LIMITS, lambda path: path in text_fields)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("a", "a"), ("", ""), (True, "true"), (False, "false"), (5, "5"), (-5, "-5"), (LARGEST, str(LARGEST)),
        (1.5, "1.5"), (1.0, "1"), (0.1, "0.1"), (1e6, "1e+06"), (999999.0, "999999"), (1e-4, "0.0001"), (1e-5, "1e-05"),
        (123456.5, "123456.5"), (16777217.0, "1.6777216e+07"), (3.4028235e38, "3.4028235e+38"), (3.5e38, ".inf"),
        (-3.5e38, "-.inf"), (1e-46, "0"), (1e-45, "1e-45"), (math.inf, ".inf"), (-math.inf, "-.inf"), (math.nan, ".nan"),
        (1.1754944e-38, "1.1754944e-38"), (0.333333333333, "0.33333334"), (9.8765432e9, "9.876543e+09"),
    ],
)  # fmt: skip
def test_an_objects_key_is_text_a_float_in_32_bits(key: str | bool | float, name: str) -> None:
    assert object_key(key) == name


@pytest.mark.parametrize(
    ("text", "words", "path"),
    [
        ("~: 1", "unsupported map key of type: %!s(<nil>), key: <nil>, value: 1", ()),
        ("a: [{~: b}]", 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "b"', ("a", 0)),
        (
            "a: {b: {9223372036854775808: [c]}}",
            'unsupported map key of type: uint64, key: 0x8000000000000000, value: []interface {}{"c"}',
            ("a", "b"),
        ),
        ("a: [.inf]", "json: unsupported value: +Inf", ("a", 0)),
        ("a: {b: -.inf}", "json: unsupported value: -Inf", ("a", "b")),
    ],
)
def test_what_json_cannot_hold_is_refused_at_its_place(
    text: str, words: str, path: tuple[str | int, ...]
) -> None:
    with pytest.raises(ConversionError) as caught:
        converted(text)
    assert (str(caught.value), caught.value.path) == (words, path)


def test_keys_are_in_the_order_of_their_bytes() -> None:
    document = converted("\U0001f600: 1\n\uff01: 2\nb: 3\nB: 4\n10: 5\n9: {b: 1, a: 2}\n")
    assert list(document) == ["10", "9", "B", "b", "\uff01", "\U0001f600"]
    assert list(document["9"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("value", "text"),
    [("5", "5"), ("1.10", "1.1"), ("1e8", "1e+08"), ("yes", "true"), ("no", "false"), ("a", "a"), (".inf", "+Inf")],
)  # fmt: skip
def test_a_number_or_a_bool_in_a_text_field_becomes_text(value: str, text: str) -> None:
    assert converted(f"a: {{b: {value}}}", ("a", "b")) == {"a": {"b": text}}


def test_a_text_field_is_found_outside_of_lists_only() -> None:
    assert converted("a: [{b: 5}]", ("a", "b"), ("a", "0", "b")) == {"a": [{"b": 5}]}
    assert converted("a: {b: 5}\nb: 5", ("b",)) == {"a": {"b": 5}, "b": "5"}
    assert converted("5", ()) == 5
    assert converted("a: ~", ("a",)) == {"a": None}


@pytest.mark.parametrize(
    ("path", "is_text"),
    [
        (("version",), True),
        (("VERSION",), True),
        (("flags",), False),
        (("flags", "version"), False),
        (("flags", "migStrategy"), False),
        (("flags", "plugin", "migStrategy"), True),
        (("FLAGS", "Plugin", "MIGSTRATEGY"), True),
        (("flags", "gfd", "mpsRoot"), True),
        (("flags", "migStrategy", "nvidiaDriverRoot"), True),
        (("flags", "other", "migStrategy"), False),
        (("other", "plugin", "migStrategy"), False),
        (("flags", "plugin", "failOnInitError"), False),
        (("flags", "plugin", "deviceIDStrategy"), False),
        (("flags", "plugin", "plugin", "deviceIDStrategy"), True),
        (("flags", "gfd", "plugin", "cdiAnnotationPrefix"), True),
        (("flags", "plugin", "gfd", "outputFile"), True),
        (("flags", "plugin", "gfd", "machineTypeFile"), True),
        (("flags", "plugin", "gfd", "oneshot"), False),
        (("flags", "plugin", "gfd", "deviceIDStrategy"), False),
        (("flags", "plugin", "plugin", "outputFile"), False),
        (("flags", "plugin", "migStrategy", "outputFile"), False),
        (("flags", "plugin", "plugin", "plugin", "deviceIDStrategy"), False),
        (("sharing", "version"), False),
    ],
)
def test_the_plugins_text_fields_are_its_version_and_flags_a_level_too_low(
    path: tuple[str, ...], is_text: bool
) -> None:
    assert is_text_field(path) is is_text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0), ("-5", -5), (str(LARGEST), LARGEST), (str(SMALLEST), SMALLEST), ("0" * 19 + "5", 5),
        (str(LARGEST + 1), None), (str(SMALLEST - 1), None), ("0" * 20 + "5", None), ("1.5", None), ("1e5", None),
        ("", None), ("-", None), ("a", None),
    ],
)  # fmt: skip
def test_an_integer_has_64_bits(text: str, number: int | None) -> None:
    assert parse_integer(text) == number


@pytest.mark.parametrize(
    ("value", "name"),
    [(None, "null"), (True, "bool"), (5, "number"), (1.5, "number"), ("a", "string"), ([], "array"), ({}, "object")],
)  # fmt: skip
def test_a_value_has_a_kind_and_other_types_refuse_it_by_that(value: Json, name: str) -> None:
    assert kind(value) == name
    takes = {
        "string": (unmarshal_text, "string"),
        "bool": (unmarshal_bool, "bool"),
        "array": (lambda it: unmarshal_list(it, "[]x"), "[]x"),
        "object": (unmarshal_fields, "map[string]json.RawMessage"),
    }
    for wanted, (unmarshal, go_type) in takes.items():
        if wanted == name or value is None:
            assert unmarshal(value) == ({"array": [], "object": {}}.get(wanted) if value is None else value)
        else:
            with pytest.raises(TypeMismatchError) as caught:
                unmarshal(value)
            assert str(caught.value) == f"json: cannot unmarshal {name} into Go value of type {go_type}"
            assert (caught.value.code, caught.value.wanted) == ("type", go_type)


@pytest.mark.parametrize(
    ("value", "result"),
    [(None, None), (5, 5), (5.0, 5), (1e18, 10**18), (1.5, "number 1.5"), (1e21, "number 1e+21"), (True, "bool"),
     ("5", "string"), (LARGEST + 1, f"number {LARGEST + 1}")],
)  # fmt: skip
def test_an_int_is_a_whole_number_of_64_bits(value: Json, result: int | str | None) -> None:
    if isinstance(result, str):
        with pytest.raises(
            TypeMismatchError, match=f"^json: cannot unmarshal {result.replace('+', '.')} into"
        ):
            unmarshal_int(value)
    else:
        assert unmarshal_int(value) == result


@pytest.mark.parametrize(
    ("key", "folded"), [("Ab-C", "ab-c"), ("\u017fhare", "share"), ("\u212aey", "key"), ("É", "é"), ("", "")]
)
def test_a_key_is_folded_with_the_letters_that_fold_into_ascii(key: str, folded: str) -> None:
    assert fold(key) == folded


def test_the_first_type_error_waits_and_the_error_of_a_hand_written_decoder_does_not() -> None:
    decoding = Decoding()
    context = DecodeContext().into("Config", "outer", key="Outer").at(2).into("Inner", "x", "y", key="Y")

    assert decoding.text(5, context) is None
    assert decoding.boolean("a", DecodeContext()) is None
    assert decoding.integer(7, DecodeContext()) == 7
    with pytest.raises(TypeMismatchError) as first:
        decoding.finish()
    assert str(first.value) == (
        "json: cannot unmarshal number into Go struct field Inner.outer.x.y of type string"
    )
    assert first.value.path == ("Outer", 2, "Y")
    Decoding().finish()

    def refuse(value: Json) -> None:
        with within("deep", 3):
            raise GoError(f"no {value}", ("end",), "code")

    with pytest.raises(GoError) as stopped:
        decoding.custom(refuse, "luck", context)
    assert (str(stopped.value), stopped.value.path, stopped.value.code) == (
        "no luck", ("Outer", 2, "Y", "deep", 3, "end"), "code",
    )  # fmt: skip
    with pytest.raises(TypeMismatchError) as placed:
        decoding.custom(lambda value: unmarshal_text(value) and None, 5, context)
    assert str(placed.value) == str(first.value)
    assert placed.value.mistake.wanted == "string"
