"""What a page of the built site weighs: the bytes over the wire and the requests before its reader touches anything.

Counted from the files, as a browser asks for them by itself: the page, its style sheets and what they import,
its scripts and what they import, its icon and pictures. Bytes are those after gzip, as servers send them.
"""

from __future__ import annotations

import gzip
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from checks.languages import LANGUAGES

GZIP_LEVEL = 9  # as of files that a host compresses once

_LOADED_LINKS = {"stylesheet", "icon", "modulepreload", "preload", "prefetch"}
_CSS_FILE = re.compile(r"(?:@import\s+(?:url\(\s*)?|url\(\s*)[\"']?(?!data:|#)(?P<name>[^\"')\s]+)")
_JS_IMPORT = re.compile(r"^(?:import|export)\b[^\"'();]*[\"'](?P<name>\.{1,2}/[^\"']+)[\"']", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Weight:
    """Bytes after gzip, and requests."""

    bytes: int
    requests: int


def budget(part: str, kind: str = "") -> Weight:
    """What a part of the site may weigh, as `budgets.toml` says: `pages` or `html` of a kind, or another table."""
    table = tomllib.loads((Path(__file__).parent / "budgets.toml").read_text("utf-8"))[part]
    entry = table[kind] if kind else table
    return Weight(entry["kilobytes"] * 1000, entry.get("requests", 0))


def kind_of(address: str) -> str:
    """The kind of a page by its address from the site's root, as the budgets name it."""
    parts = [part for part in address.split("/") if part and part not in LANGUAGES]
    match parts:
        case []:
            return "home"
        case ["404.html"]:
            return "missing"
        case ["articles", _]:
            return "article"
        case ["labs"]:
            return "list"
        case ["labs", _]:
            return "lab"
        case _:
            return "text"


def runtime_files(site: Path) -> tuple[Path, ...]:
    """What a lab's worker asks for before it computes: Python, its library and the package."""
    labs = site / "assets" / "labs"
    manifest = json.loads((labs / "runtime" / "manifest.json").read_text("utf-8"))
    pyodide = labs / "runtime" / manifest["pyodide"]
    return (
        labs / "runtime" / "manifest.json",
        *(pyodide / name for name in ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm")),
        labs / "runtime" / manifest["python"],
    )


def page_weight(site: Path, page: Path) -> Weight:
    """What comes over the wire when that HTML file of the site is opened with an empty cache."""
    return weight(page_files(site, page))


def weight(files: Iterable[Path]) -> Weight:
    """The weight of these files, each asked for once."""
    sizes = [len(gzip.compress(file.read_bytes(), GZIP_LEVEL, mtime=0)) for file in files]
    return Weight(sum(sizes), len(sizes))


def page_files(site: Path, page: Path) -> tuple[Path, ...]:
    """The page and every file of the site that a browser asks for by itself when it opens the page."""
    found = {page: None}
    waiting = [page]
    while waiting:
        file = waiting.pop()
        for loaded in _loads(site, file):
            if (
                loaded not in found and loaded.is_file()
            ):  # what is missing is a broken link, and not of this module
                found[loaded] = None
                waiting.append(loaded)
    return tuple(found)


def _loads(site: Path, file: Path) -> Iterator[Path]:
    read = {".html": _page_loads, ".css": _sheet_loads, ".js": _script_loads}.get(file.suffix)
    for name in read(file.read_text("utf-8")) if read else ():
        name = name.partition("#")[0].partition("?")[0]
        yield (site / name[1:] if name.startswith("/") else file.parent / name).resolve()


def _page_loads(html: str) -> Iterator[str]:
    reader = _PageReader()
    reader.feed(html)
    yield from reader.addresses


def _sheet_loads(css: str) -> Iterator[str]:
    yield from (match["name"] for match in _CSS_FILE.finditer(css))


def _script_loads(js: str) -> Iterator[str]:
    yield from (match["name"] for match in _JS_IMPORT.finditer(js))


class _PageReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        loads = tag != "link" or set(given.get("rel", "").split()) & _LOADED_LINKS
        address = given.get("href" if tag == "link" else "src", "") if loads else ""
        if tag in {"link", "script", "img", "source"} and address and not address.startswith("data:"):
            self.addresses.append(address)
