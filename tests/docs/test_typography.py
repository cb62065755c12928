"""What the site's Markdown changes: line breaks that would show as spaces, and tables."""

from __future__ import annotations

import re

import markdown
import pytest

from hooks.typography import TypographyExtension


def render(text: str, language: str) -> str:
    extension = TypographyExtension()
    extension.setConfig("language", language)
    return markdown.markdown(text, extensions=["attr_list", "tables", "footnotes", extension])


@pytest.mark.parametrize(
    ("language", "source", "shown"),
    [
        ("ja", "枠を渡し\nました。", "<p>枠を渡しました。</p>"),
        ("ja", "終わりです。\n次です。", "<p>終わりです。次です。</p>"),
        ("ja", "これは\nGPUの\nMIGです", "<p>これはGPUのMIGです</p>"),
        ("ja", "設定は\n`replicas`\nです", "<p>設定は<code>replicas</code>です</p>"),
        ("ja", "**太い**\n文字", "<p><strong>太い</strong>文字</p>"),
        ("ja", "**太い\n字**", "<p><strong>太い字</strong></p>"),
        ("ja", "time slicing\nand MPS", "<p>time slicing\nand MPS</p>"),
        ("ko", "자리를 주겠다고\n했고, 주었다.", "<p>자리를 주겠다고\n했고, 주었다.</p>"),
        ("ko", "「문서」\n설명", "<p>「문서」\n설명</p>"),
        ("en", "a slot\nis no memory", "<p>a slot\nis no memory</p>"),
        ("en", "日本\n語 is\n日本語\nhere", "<p>日本語 is\n日本語\nhere</p>"),
    ],
)
def test_a_line_break_is_a_space_only_where_the_language_has_one(
    language: str, source: str, shown: str
) -> None:
    assert render(source, language) == shown


def test_code_keeps_its_lines() -> None:
    assert "一行\n二行" in render("    一行\n    二行", "ja")


def test_a_wanted_line_break_stays() -> None:
    assert "<br" in render("一行  \n二行", "ja")


def test_alignment_is_a_class_and_a_table_has_a_box() -> None:
    html = render("| a | b |\n| --- | ---: |\n| 1 | 2 |", "en")
    assert html.startswith('<div class="gl-table"><table>')
    assert "style=" not in html
    assert html.count('class="gl-align-right"') == 2


class TestATableOfSentences:
    SENTENCE = "The stuck Pod is replaced first, then all nodes"

    def rendered(self, *cells: str) -> str:
        heads = ["Move", "Updated", "What `kubectl` says"][: len(cells)]
        return render(f"| {' | '.join(heads)} |\n|{' --- |' * len(cells)}\n| {' | '.join(cells)} |", "en")

    def test_each_cell_but_the_first_says_the_head_of_its_column(self) -> None:
        html = self.rendered("Undo", "10", self.SENTENCE)
        assert re.findall('data-head="(.*?)"', html) == ["Updated", "What kubectl says"]

    def test_its_roles_are_spelt_out(self) -> None:
        html = self.rendered("Undo", "10", self.SENTENCE)
        assert [
            html.count(f'role="{role}"') for role in ("table", "rowgroup", "row", "columnheader", "cell")
        ] == [
            1,
            2,
            2,
            3,
            3,
        ]

    @pytest.mark.parametrize(
        "cells", [("Undo", "10", "9"), ("Undo", SENTENCE)], ids=["figures only", "two columns"]
    )
    def test_other_tables_stay_tables_on_a_phone(self, cells: tuple[str, ...]) -> None:
        assert "gl-table-rows" not in self.rendered(*cells)

    def test_a_long_table_stays_one_to_be_looked_through(self) -> None:
        rows = f"| Undo | 10 | {self.SENTENCE} |\n"
        head = "| Move | Updated | Says |\n| --- | --- | --- |\n"
        assert "gl-table-rows" in render(head + rows * 16, "en")
        assert "gl-table-rows" not in render(head + rows * 17, "en")

    def test_a_wide_character_takes_two_columns(self) -> None:
        assert "gl-table-rows" in self.rendered("戻す", "10", "止まった Pod が最初に置き換わる")
        assert "gl-table-rows" not in self.rendered("Undo", "10", "x" * 20)
