from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.report.writing.measure import columns, cut, fit, pad, pixels, wrap, wrap_at_most, wrap_pixels


class TestColumns:
    @pytest.mark.parametrize(
        ("text", "width"),
        [("Pod", 3), ("枠", 2), ("파드", 4), ("ｶﾞ", 2), ("e\u0301", 1), ("：", 2), ("", 0)],
    )
    def test_wide_characters_take_two(self, text: str, width: int) -> None:
        assert columns(text) == width

    def test_padding_counts_columns(self) -> None:
        assert pad("枠", 4) + "|" == "枠  |"
        assert pad("枠", 4, right=True) == "  枠"

    @given(st.text(max_size=40), st.integers(1, 30))
    def test_a_cut_text_fits(self, text: str, width: int) -> None:
        assert columns(cut(text, width)) <= width


class TestWrap:
    @pytest.mark.parametrize(
        ("text", "width", "lines"),
        [
            ("slots promise nothing", 14, ["slots promise", "nothing"]),
            ("枠は20個あります。", 8, ["枠は20個", "ありま", "す。"]),
            ("자리는 메모리를 약속하지 않는다", 16, ["자리는 메모리를", "약속하지 않는다"]),
            ("took 38 GiB and", 7, ["took", "38 GiB", "and"]),
            ("a-name-without-any-space", 10, ["a-name-wit", "hout-any-s", "pace"]),
            ("", 10, [""]),
        ],
    )
    def test_lines_break_where_the_language_allows(self, text: str, width: int, lines: list[str]) -> None:
        assert wrap(text, width) == lines

    @given(st.text(alphabet="ab 枠。파「」1", max_size=60), st.integers(4, 30))
    def test_nothing_is_lost(self, text: str, width: int) -> None:
        lines = wrap(text, width)
        assert "".join("".join(lines).split()) == "".join(text.split())

    @given(st.text(alphabet="abc defg", max_size=80), st.integers(8, 30))
    def test_lines_fit(self, text: str, width: int) -> None:
        assert all(columns(line) <= width for line in wrap(text, width))

    def test_a_picture_wraps_by_its_own_measure(self) -> None:
        lines = wrap_pixels("20 slots offered, 20 taken; none promises memory", 150, 12)
        assert len(lines) > 1
        assert all(pixels(line, 12) <= 150 for line in lines)

    def test_a_katakana_word_stays_whole_unless_it_is_longer_than_a_line(self) -> None:
        assert wrap("のため、メモリ不足", 12) == ["のため、", "メモリ不足"]
        assert wrap("スケジューラー", 8) == ["スケジュ", "ーラー"]

    def test_where_lines_are_too_many_the_last_one_says_so(self) -> None:
        text = "maximum request size for shared resources is 1; found 2, which is unexpected"
        whole = wrap_pixels(text, 150, 12)
        assert wrap_at_most(text, len(whole), 150, 12) == whole
        fewer = wrap_at_most(text, len(whole) - 1, 150, 12)
        assert fewer[:-1] == whole[:-2]
        assert fewer[-1].endswith("…")
        assert pixels(fewer[-1], 12) <= 150

    def test_a_fitted_label_ends_in_an_ellipsis(self) -> None:
        label = fit("a-node-with-a-very-long-name.example", 90, 12)
        assert label.endswith("…")
        assert pixels(label, 12) <= 90
