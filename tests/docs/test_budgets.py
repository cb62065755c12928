"""Pages, runtime and search stay within the budgets of `checks/budgets.toml`, and the count is a true one."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from checks.weight import Weight, budget, kind_of, page_files, page_weight, runtime_files, weight
from tests.checks.trees import write
from tests.some import some


def html_files(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def address(site: Path, page: Path) -> str:
    return page.relative_to(site).as_posix().removesuffix("index.html")


@pytest.mark.slow
def test_every_page_is_within_its_budget(site: Path) -> None:
    for page in some(html_files(site)):
        kind = kind_of(address(site, page))
        now, most = page_weight(site, page), budget("pages", kind)
        assert (now.bytes <= most.bytes, now.requests <= most.requests) == (True, True), (page, now, most)


def test_the_html_of_every_page_is_within_its_budget(site: Path) -> None:
    for page in some(html_files(site)):
        kind = kind_of(address(site, page))
        assert weight([page]).bytes <= budget("html", kind).bytes, (page, weight([page]), kind)


def test_the_runtime_is_within_its_budget(site: Path) -> None:
    now, most = weight(runtime_files(site)), budget("runtime")
    assert now.bytes <= most.bytes
    assert now.requests <= most.requests


def test_the_editor_is_within_its_budget(site: Path) -> None:
    assert weight([site / "assets" / "labs" / "editor.js"]).bytes <= budget("editor").bytes


def test_the_stops_of_every_lab_are_within_their_budget(site: Path) -> None:
    files = sorted((site / "assets" / "labs" / "stops").iterdir())
    assert files
    assert [file.name for file in files if weight([file]).bytes > budget("stops").bytes] == []


@pytest.mark.parametrize("language", ["ja", "ko", "en"])
def test_the_search_is_within_its_budget(site: Path, language: str) -> None:
    folder = site / "assets" / "search"
    own = [*folder.glob(f"pagefind.{language}_*"), *folder.glob(f"index/{language}_*")]
    wasm = max(folder.glob("wasm.*.pagefind"), key=lambda path: path.stat().st_size)
    assert own
    loaded = [
        folder / "pagefind.js",
        folder / "pagefind-worker.js",
        folder / "pagefind-entry.json",
        wasm,
        *own,
    ]
    assert weight(loaded).bytes <= budget("search").bytes


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("", "home"),
        ("ko/", "home"),
        ("articles/gpu-sharing/", "article"),
        ("en/articles/gpu-sharing/", "article"),
        ("en/labs/", "list"),
        ("labs/slots-and-memory/", "lab"),
        ("ko/contributing/", "text"),
        ("404.html", "missing"),
    ],
)
def test_the_kind_of_a_page(address: str, kind: str) -> None:
    assert kind_of(address) == kind


def test_all_that_a_browser_asks_for_by_itself_is_counted_once(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "index.html": '<link rel="stylesheet" href="a/one.css"><link rel="canonical" href="other.html">'
            '<link rel="icon" href="a/icon.svg"><script type="module" src="a/one.js"></script>'
            '<script type="module" src="a/two.js?1"></script><img src="data:,"><a href="other.html">other</a>',
            "a/one.css": '@import url("two.css") layer(x); p { background: url(back.svg) }',
            "a/two.css": 'p { background: url("#id") }',
            "a/back.svg": "<svg/>",
            "a/icon.svg": "<svg/>",
            "a/one.js": 'import { a } from "./two.js";\nimport "./none.js";\nconst later = () => import("./later.js");',
            "a/two.js": "export const a = 1;",
            "a/later.js": "",
            "other.html": "",
        },
    ).resolve()
    counted = {path.relative_to(site).as_posix() for path in page_files(site, site / "index.html")}
    assert counted == {
        "index.html",
        "a/one.css",
        "a/two.css",
        "a/back.svg",
        "a/icon.svg",
        "a/one.js",
        "a/two.js",
    }


def test_a_weight_is_in_bytes_after_gzip(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("word " * 1000, "utf-8")
    assert weight([file, file]) == Weight(2 * len(gzip.compress(file.read_bytes(), 9, mtime=0)), 2)
    assert weight([file]).bytes < 100
