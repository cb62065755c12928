"""What the site's Markdown changes: line breaks that would show as spaces, and tables."""

from __future__ import annotations

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
