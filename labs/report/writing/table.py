"""Tables: one model of headings and cells, written as HTML or as terminal text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labs.report.writing.markup import Html, attributes, escape, html, join
from labs.report.writing.measure import columns, cut, pad, wrap
from labs.report.writing.messages import Messages

NAME_COLUMNS = 30  # terminal columns of the widest cell
ROWS_MOST = 300  # of a table; the rest is a number
NOTHING = "–"
WIDTH = 80  # terminal columns, for running text


@dataclass(frozen=True, slots=True)
class Column:
    """A heading; `figures` are set flush right, cells that are `english` are so in every language."""

    heading: str
    figures: bool = False
    english: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as they are shown; every row has a cell for each column, the first names the row."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def shortened(self, messages: Messages) -> Table:
        """At most ROWS_MOST rows, with a note on how many are left out."""
        hidden = len(self.rows) - ROWS_MOST
        if hidden <= 0:
            return self
        more = messages.count("table.more", hidden)
        return Table(self.caption, self.columns, self.rows[:ROWS_MOST], (more, *self.notes))

    def without_empty_columns(self) -> Table:
        """The table without the columns in which no row says anything."""
        kept = [
            index
            for index in range(len(self.columns))
            if not self.rows or any(row[index] != NOTHING for row in self.rows)
        ]
        rows = tuple(tuple(row[index] for index in kept) for row in self.rows)
        return Table(self.caption, tuple(self.columns[index] for index in kept), rows, self.notes)


def table_html(table: Table) -> Html:
    """The table in a frame that scrolls where the page is too narrow for it, reachable by keyboard."""
    caption = escape(table.caption)
    head = join(
        html('<th scope="col"{}>{}</th>', _figures(column), escape(column.heading))
        for column in table.columns
    )
    notes = join(html('<p class="gl-note">{}</p>', escape(note)) for note in table.notes)
    body = join((html("<tr>{}</tr>", _cells(row, table.columns)) for row in table.rows), "\n")
    return html(
        '<div class="gl-scroll" role="group" aria-label="{}" tabindex="0"><table class="gl-result">'
        "<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}\n</tbody></table>{}</div>",
        caption,
        caption,
        head,
        body,
        notes,
    )


def table_text(table: Table) -> str:
    """The table as lines of text: columns by display width, two spaces apart."""
    cells = [[cut(cell, NAME_COLUMNS) for cell in row] for row in table.rows]
    heads = [column.heading for column in table.columns]
    widths = [max(columns(cell) for cell in column) for column in zip(heads, *cells, strict=True)]
    if (
        len(table.columns) > 1 and not table.columns[-1].figures
    ):  # the last column may run on: nothing stands after it
        cells = [[*row[:-1], whole[-1]] for row, whole in zip(cells, table.rows, strict=True)]
    lines = [table.caption]
    for row in [heads, *cells]:
        padded = (
            pad(cell, width, column.figures)
            for cell, width, column in zip(row, widths, table.columns, strict=True)
        )
        lines.append(("  " + "  ".join(padded)).rstrip())
    lines += [f"  {line}" for note in table.notes for line in wrap(note, WIDTH - 2)]
    return "\n".join(lines)


def _cells(row: Sequence[str], heads: Sequence[Column]) -> Html:
    first = html('<th scope="row">{}</th>', escape(row[0]))
    rest = zip(row[1:], heads[1:], strict=True)
    return html(
        "{}{}",
        first,
        join(
            html("<td{}{}>{}</td>", _figures(column), _language(cell, column), escape(cell))
            for cell, column in rest
        ),
    )


def _language(cell: str, column: Column) -> Html:
    return attributes(lang="en" if column.english and cell != NOTHING else None)


def _figures(column: Column) -> Html:
    return attributes(class_="gl-figures" if column.figures else None)
