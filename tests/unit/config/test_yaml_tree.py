"""The tree: places, embedded texts, lookups and edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.config.goyaml.nodes import Mapping, Node, Scalar, ScalarKind, Sequence, find, is_merge, merged
from labs.config.goyaml.positions import LineIndex, Position, Span, replace_span
from labs.config.goyaml.tree import LimitError, Limits, YamlError, YamlSyntaxError, read, read_all


def scalar(text: str, *path: str | int) -> Scalar:
    node = find(read(text), path)
    assert isinstance(node, Scalar)
    return node


def covered(text: str, node: Node) -> str:
    return text[node.span.start_offset : node.span.end_offset]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("~", ScalarKind.NULL, None),
        ("yes", ScalarKind.BOOL, True),
        ("010", ScalarKind.INT, 8),
        ("0x1F", ScalarKind.INT, 31),
        ("1_0", ScalarKind.INT, 10),
        ("18446744073709551615", ScalarKind.INT, 18446744073709551615),
        ("08", ScalarKind.FLOAT, 8.0),
        ("1e1", ScalarKind.FLOAT, 10.0),
        ("1e999", ScalarKind.STRING, "1e999"),
        ("1:30", ScalarKind.STRING, "1:30"),
        ("2024-01-02", ScalarKind.TIMESTAMP, "2024-01-02"),
        ("2024-02-30", ScalarKind.STRING, "2024-02-30"),
        ("'5'", ScalarKind.STRING, "5"),
        ("!!str 5", ScalarKind.STRING, "5"),
        ('!!int "5"', ScalarKind.INT, 5),
        ("!mine 5", ScalarKind.STRING, "5"),
    ],
)
def test_a_scalar_is_what_go_yaml_takes_it_for(text: str, kind: ScalarKind, value: object) -> None:
    node = scalar(f"a: {text}\n", "a")

    assert (node.kind, node.value) == (kind, value)


def test_places_count_lines_and_code_points_from_one() -> None:
    node = scalar('한국: {日本: "값"}\n', "한국", "日本")

    assert node.span == Span(Position(1, 10), Position(1, 13), 9, 12)


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", "\x85", "\u2028", "\u2029"])
def test_every_line_break_of_yaml_begins_a_line(line_break: str) -> None:
    assert scalar(f"a: 1{line_break}b: 2", "b").span.start == Position(2, 4)


def test_a_block_collection_ends_with_its_last_value() -> None:
    text = "a:\n  - 1\n  - b: 2\n\n# end\nc: 3\n"
    node = find(read(text), ["a"])

    assert node is not None
    assert covered(text, node) == "- 1\n  - b: 2"


def test_equal_keys_stay_and_the_last_counts() -> None:
    root = read("a: 1\na: 2\n")

    assert isinstance(root, Mapping)
    assert [entry.name for entry in root.entries] == ["a", "a"]
    found = root.get("a")
    assert isinstance(found, Scalar)
    assert found.value == 2


def test_merge_keys_are_followed_in_the_order_of_the_file() -> None:
    root = read("x: &x {a: 1, b: 1}\ny: {<<: *x, a: 2}\nz: {a: 2, <<: *x}\n")

    assert [scalar_value(find(root, [key, "a"])) for key in "yz"] == [2, 1]
    y = find(root, ["y"])
    assert isinstance(y, Mapping)
    assert [entry.name for entry in merged(y)] == ["a", "b", "a"]


def scalar_value(node: Node | None) -> object:
    assert isinstance(node, Scalar)
    return node.value


def test_an_alias_brings_the_node_and_knows_its_own_place() -> None:
    text = "a: &r [1]\nb: *r\n"
    node = find(read(text), ["b"])

    assert isinstance(node, Sequence)
    assert (covered(text, node), node.place.start) == ("&r [1]", Position(2, 4))


def test_an_anchor_given_again_means_the_new_node_from_there_on() -> None:
    root = read("- &a 1\n- *a\n- &a 2\n- *a\n")

    assert [scalar_value(find(root, [index])) for index in range(4)] == [1, 1, 2, 2]


CONFIG_MAP = """data:
  config: |
    version: v1
    sharing:
      名前: 5
  folded: >-
    one
    two
  double: "a\\tb
    c"
  plain: say it
"""


def test_a_place_in_a_block_scalar_is_told_in_the_outer_file() -> None:
    outer = scalar(CONFIG_MAP, "data", "config")
    inner = scalar(outer.text, "sharing", "名前")

    span = outer.outer_span(inner.span)

    assert span is not None
    assert (span.start, CONFIG_MAP[span.start_offset : span.end_offset]) == (Position(5, 11), "5")


@pytest.mark.parametrize(
    ("name", "word", "place"),
    [
        ("folded", "two", Position(8, 5)),
        ("double", "c", Position(10, 5)),
        ("double", "b", Position(9, 15)),
        ("plain", "it", Position(11, 14)),
    ],
)
def test_words_of_other_scalars_have_their_place_too(name: str, word: str, place: Position) -> None:
    node = scalar(CONFIG_MAP, "data", name)
    inner = LineIndex(node.text).position(node.text.index(word))

    assert node.outer_position(inner) == place


def test_a_place_outside_of_a_scalar_is_none() -> None:
    assert scalar("a: b", "a").outer_position(Position(7, 1)) is None


def test_a_place_in_a_folded_line_is_up_to_the_end_of_its_stretch() -> None:
    text = "a: 'b  c\n\n\n  d'\n"
    node = scalar(text, "a")
    assert node.text == "b  c\n\nd"

    places = [node.outer_offset(offset) for offset in range(-1, len(node.text) + 2)]

    assert [place and place[0] for place in places] == [None, 4, 5, 6, 7, 8, None, 13, 14, None]
    assert [place and place[1] for place in places[-3:]] == [Position(4, 3), Position(4, 4), None]
    ends = {(start, end): LineIndex(node.text).span(start, end) for start in (0, 5) for end in (1, 5)}
    assert node.outer_span(ends[0, 1]) == Span(Position(1, 5), Position(1, 6), 4, 5)
    assert [node.outer_span(ends[pair]) for pair in ((0, 5), (5, 5))] == [None, None]
    assert node.outer_span(LineIndex(node.text).span(5, 6)) is None


@pytest.mark.parametrize(
    ("key", "merges"),
    [
        ("<<", True),
        ("! <<", True),
        ('! "<<"', True),
        ("!!merge <<", True),
        ("!!merge '<<'", True),
        ('"<<"', False),
        ("'<<'", False),
        ("!!str <<", False),
        ("<", False),
    ],
)
def test_a_merge_key_is_plain_or_tagged_as_one(key: str, merges: bool) -> None:
    root = read(f"{{{key} : {{a: 1}}, b: 2}}")
    assert isinstance(root, Mapping)
    assert is_merge(root.entries[0].key) is merges
    assert (find(root, ["a"]) is not None) is merges


def test_lines_have_their_offsets() -> None:
    index = LineIndex("ab\r\nc\n")
    assert [index.line(number) for number in range(5)] == [None, (0, 4), (4, 6), (6, 6), None]
    assert [index.position(offset) for offset in (-1, 0, 4, 6, 7)] == [
        Position(1, 1), Position(1, 1), Position(2, 1), Position(3, 1), Position(3, 1),
    ]  # fmt: skip
    assert [index.offset(Position(*place)) for place in ((0, 1), (1, 0), (1, 1), (1, 4), (1, 5))] == [
        None, None, 0, 3, None,
    ]  # fmt: skip
    assert [index.offset(Position(*place)) for place in ((2, 2), (2, 3), (3, 1), (3, 2), (4, 1))] == [
        5, None, 6, None, None,
    ]  # fmt: skip


def test_an_edit_keeps_every_other_character() -> None:
    text = "# keep\nreplicas:   5   # me\n"

    assert replace_span(text, scalar(text, "replicas").span, "6") == "# keep\nreplicas:   6   # me\n"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a: [1]", ["a", 1]),
        ("a: [1]", ["a", -2]),
        ("a: [1]", ["a", "b"]),
        ("a: 1", ["b"]),
        ("a: 1", ["a", 0]),
        ("", ["a"]),
    ],
)
def test_a_path_that_leads_nowhere_finds_nothing(text: str, path: list[str | int]) -> None:
    assert find(read(text), path) is None


def test_indexes_count_from_the_end_too() -> None:
    assert scalar("[1, 2]", -1).value == 2


def test_only_the_first_document_is_looked_at() -> None:
    assert scalar_value(read("1\n---\n[")) == 1
    with pytest.raises(YamlSyntaxError):
        read_all("1\n---\n[")


def test_all_documents_are_read_on_request() -> None:
    assert [scalar_value(root) for root in read_all("1\n---\n---\n3\n")] == [1, None, 3]


def test_an_empty_stream_has_no_document() -> None:
    assert (read(""), read("# only\n"), read_all("\ufeff")) == (None, None, ())


def test_a_syntax_error_has_go_yamls_words_and_a_place_of_our_own() -> None:
    with pytest.raises(YamlSyntaxError) as caught:
        read("a:\n  - b\n   c: d\n")

    assert (caught.value.message, caught.value.position) == (
        "yaml: line 3: mapping values are not allowed in this context",
        Position(3, 5),
    )


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("x" * 11, Limits(characters=10)),
        ("[" * 5 + "]" * 5, Limits(depth=4)),
        ("- &a [[1]]\n- &b [[*a]]\n- [[*b]]\n", Limits(depth=6)),
        ("- &a [1, 2, 3]\n- &b [*a, *a, *a]\n- [*b, *b, *b]\n", Limits(nodes=50)),
    ],
)
def test_texts_beyond_the_limits_are_refused_also_those_that_were_read_before(
    text: str, limits: Limits
) -> None:
    for _ in range(2):
        with pytest.raises(LimitError):
            read(text, limits=limits)
        with pytest.raises(LimitError):
            read_all(text, limits=limits)
        assert read_all(text) == (read(text),)


def test_what_stands_behind_the_first_document_is_read_by_who_asks_for_all() -> None:
    text = "a: 1\n---\nb: [\n"
    for _ in range(2):
        assert find(read(text), ["a"]) is not None
        with pytest.raises(YamlSyntaxError):
            read_all(text)


def test_an_anchor_inside_itself_is_refused() -> None:
    with pytest.raises(YamlSyntaxError) as caught:
        read("a: 1\nb: &x\n  - [*x]\n")

    assert (caught.value.message, caught.value.position) == (
        "yaml: anchor 'x' value contains itself",
        Position(3, 6),
    )


def test_maps_merged_into_each_other_many_times_stay_small() -> None:
    lines = ["m0: &m0 {a: 1, b: 2}"]
    lines += [f"m{n}: &m{n} {{<<: [*m{n - 1}, *m{n - 1}], c{n}: 3}}" for n in range(1, 60)]
    root = read("\n".join(lines), limits=Limits(nodes=10**30))
    last = find(root, ["m59"])

    assert isinstance(last, Mapping)
    assert len(merged(last)) == 61


def test_deep_nesting_costs_no_stack() -> None:
    assert read("[" * 9_000 + "]" * 9_000, limits=Limits(depth=10_000)) is not None


def places(node: Node) -> list[Span]:
    found = [node.span, node.place]
    if isinstance(node, Mapping):
        for entry in node.entries:
            found += places(entry.key) + places(entry.value)
    elif isinstance(node, Sequence):
        for item in node.items:
            found += places(item)
    return found


PIECES = st.sampled_from(
    [
        *"[]{}:,-?&*!|>'\"%@`#~<\n\t \r\\ab01.",
        "\n  ",
        "- ",
        ": ",
        "&a ",
        "*a",
        "<<: ",
        "--- ",
        "\u2028",
        "한",
        "\ufeff",
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=60))


def read_or_error(text: str) -> Node | YamlError | None:
    try:
        return read(text)
    except YamlError as error:
        return error


@given(TEXTS)
def test_any_text_is_read_or_refused_and_every_place_is_inside_it(text: str) -> None:
    index = LineIndex(text)
    found = read_or_error(text)

    if isinstance(found, YamlError):
        assert found.position is None or index.offset(found.position) is not None
    outside = [
        span
        for span in (places(found) if isinstance(found, Node) else [])
        if not 0 <= span.start_offset <= span.end_offset <= len(text)
        or (index.offset(span.start), index.offset(span.end)) != (span.start_offset, span.end_offset)
    ]
    assert outside == []


@given(TEXTS)
def test_segments_of_a_scalar_stand_in_the_file_as_they_are(text: str) -> None:
    nodes = [read_or_error(text)]
    pairs = []
    while nodes:
        node = nodes.pop()
        if isinstance(node, Mapping):
            nodes += [part for entry in node.entries for part in (entry.key, entry.value)]
        elif isinstance(node, Sequence):
            nodes += node.items
        elif isinstance(node, Scalar):
            for segment in node.segments:
                inner = node.text[segment.content_offset : segment.content_offset + segment.length]
                pairs.append((text[segment.source_offset : segment.source_offset + segment.length], inner))
    assert [outer for outer, _ in pairs] == [inner for _, inner in pairs]


@given(st.text(alphabet="ab\r\n\x85\u2028", max_size=30), st.integers(0, 30))
def test_offsets_and_positions_turn_into_each_other(text: str, offset: int) -> None:
    index = LineIndex(text)
    inside = min(offset, len(text))

    assert index.offset(index.position(inside)) == inside
