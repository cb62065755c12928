"""Markdown tree changes that the site's typography and its Content-Security-Policy need.

`TypographyExtension` joins Japanese source lines, turns the `style` attributes of aligned table cells
into classes, and puts every table into a box that can scroll on a narrow screen, or, if it holds sentences, is
read row by row there.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from labs.report.writing import columns

# Kana, ideographs, CJK punctuation and full-width forms. Hangul is absent: Korean writes its spaces.
_CJK = "[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60]"
_BREAK = r"[ \t]*\n[ \t]*"
_BETWEEN_CJK = re.compile(rf"(?<={_CJK}){_BREAK}(?={_CJK})")
_BESIDE_CJK = re.compile(rf"(?<={_CJK}){_BREAK}(?=\S)|(?<=\S){_BREAK}(?={_CJK})")
_VERBATIM = frozenset({"pre", "code", "script", "svg", "textarea"})


class JoinLines(Treeprocessor):
    """Removes source line breaks that a browser would show as a space where Japanese has none.

    Between two CJK characters in every language; beside one CJK character on Japanese pages only, where a
    Latin word touches its neighbours.
    """

    def __init__(self, md: Markdown, language: str) -> None:
        super().__init__(md)
        self._break = _BESIDE_CJK if language == "ja" else _BETWEEN_CJK

    def run(self, root: ElementTree.Element) -> None:
        for element in root.iter():
            if element.tag not in _VERBATIM:
                self._join_children(element)

    def _join_children(self, element: ElementTree.Element) -> None:
        children = list(element)
        starts = [self._edge(child, 0) for child in children] + [""]
        if element.text:
            element.text = self._joined("", element.text, starts[0])
        for child, start in zip(children, starts[1:], strict=True):
            if child.tail:
                child.tail = self._joined(self._edge(child, -1), child.tail, start)

    def _joined(self, before: str, text: str, after: str) -> str:
        joined = self._break.sub("", before + text + after)
        return joined[len(before) : len(joined) - len(after)]

    def _edge(self, element: ElementTree.Element, index: int) -> str:
        """The first (0) or last (-1) character of an inline element, empty for a block or an empty one."""
        text = "" if self.md.is_block_level(element.tag) else "".join(element.itertext())
        return text[index] if text else ""


class TableBoxes(Treeprocessor):
    """Wraps each table in `div.gl-table` and says its alignment by class, never by a `style` attribute.

    A table of sentences is `gl-table-rows` as well: on a narrow screen its rows stand below each other, and each cell says
    the head of its column. Its roles are spelt out, since a browser may forget them where a table is not laid out as one.
    """

    _SENTENCE = 26
    """The columns of a terminal from which a cell no longer fits beside two others on a phone."""

    _READ = 16
    """As many rows are read one by one. In more than that, a reader looks for one, down a column."""

    def run(self, root: ElementTree.Element) -> None:
        for cell in root.iter():
            if cell.tag in {"th", "td"} and "style" in cell.attrib:
                alignment = cell.attrib.pop("style").removeprefix("text-align:").strip(" ;")
                cell.set("class", f"{cell.get('class', '')} gl-align-{alignment}".strip())
        for parent in list(root.iter()):
            for index, child in enumerate(list(parent)):
                if child.tag == "table":
                    box = ElementTree.Element("div", {"class": "gl-table"})
                    if self._holds_sentences(child):
                        box.set("class", "gl-table gl-table-rows")
                        self._name_cells(child)
                    box.tail, child.tail = child.tail, None
                    box.append(child)
                    parent[index] = box

    def _holds_sentences(self, table: ElementTree.Element) -> bool:
        heads = len(list(table.iter("th")))
        rows = len(list(table.iter("tr"))) - 1
        return (
            heads > 2
            and rows <= self._READ
            and any(columns("".join(cell.itertext())) > self._SENTENCE for cell in table.iter("td"))
        )

    @staticmethod
    def _name_cells(table: ElementTree.Element) -> None:
        heads = ["".join(head.itertext()).strip() for head in table.iter("th")]
        table.set("role", "table")
        roles = {"thead": "rowgroup", "tbody": "rowgroup", "tr": "row", "th": "columnheader", "td": "cell"}
        for element in table.iter():
            if element.tag in roles:
                element.set("role", roles[element.tag])
        for row in table.iter("tr"):
            for head, cell in list(zip(heads, row.findall("td"), strict=False))[1:]:
                cell.set("data-head", head)


class TypographyExtension(Extension):
    """Registers both treeprocessors; they run after inline patterns, attribute lists and heading ids."""

    def __init__(self) -> None:
        self.config = {"language": ["en", "language of the page that is being rendered"]}
        super().__init__()

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Python-Markdown's name)
        md.treeprocessors.register(JoinLines(md, self.getConfig("language")), "gl_join_lines", 3)
        md.treeprocessors.register(TableBoxes(md), "gl_table_boxes", 2)
