"""A page of the built site as its elements, in order, for tests that ask what is on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Self

_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass(slots=True)
class Element:
    """A start tag with its attributes, the text inside it and the classes of the elements around it."""

    tag: str
    attributes: dict[str, str]
    around: tuple[str, ...]
    text: str = ""

    def __getitem__(self, name: str) -> str:
        return self.attributes.get(name, "")


@dataclass(slots=True)
class BuiltPage:
    """All elements of one HTML file."""

    html: str
    elements: list[Element] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Self:
        page = cls(path.read_text("utf-8"))
        _Reader(page.elements).feed(page.html)
        return page

    def all(self, *tags: str, inside: str = "", **attributes: str) -> Iterator[Element]:
        """Elements with one of these tags, inside an element of that class, with these attribute values."""
        for element in self.elements:
            if (
                (not tags or element.tag in tags)
                and (not inside or inside in element.around)
                and all(element[name] == value for name, value in attributes.items())
            ):
                yield element

    def one(self, tag: str, **attributes: str) -> Element:
        found = list(self.all(tag, **attributes))
        assert len(found) == 1, f"{len(found)} elements {tag} {attributes}"
        return found[0]

    @property
    def title(self) -> str:
        """The page's title; pictures on it have titles of their own."""
        return next(self.all("title")).text

    @property
    def ids(self) -> list[str]:
        return [element["id"] for element in self.elements if element["id"]]


class _Reader(HTMLParser):
    def __init__(self, elements: list[Element]) -> None:
        super().__init__(convert_charrefs=True)
        self._elements = elements
        self._open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        around = tuple(name for element in self._open for name in element["class"].split())
        element = Element(tag, {name: value or "" for name, value in attrs}, around)
        self._elements.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            if self._open.pop().tag == tag:
                return

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data
