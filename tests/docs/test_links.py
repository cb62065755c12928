"""What refers to something, beyond the links of pages: style sheets, scripts, pictures, the repository's own pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from checks.markdown_page import without_code
from tests.docs.built_page import BuiltPage
from tests.some import some
from tools.paths import ROOT

CSS_URL = re.compile(r"url\(\s*[\"']?(?!data:|#)([^\"')]+)[\"']?\s*\)")
JS_IMPORT = re.compile(
    r"""(?:^|[\s;}])(?:import|export)\b[^"'();]*["'](\.{1,2}/[^"']+)["']|import\(\s*["'](\.{1,2}/[^"']+)["']\s*\)"""
    r"""|new URL\(\s*["'](\.{0,2}/?[\w./-]+)["'],\s*import\.meta\.url""",
    re.MULTILINE,
)
MARKDOWN_LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:)([^)\s]+)\)")
REPOSITORY_PAGES = ["README.md", "CONTRIBUTING.md"]


def own_scripts(site: Path) -> list[Path]:
    """The scripts of the site that are ours; Pyodide and Pagefind find their files themselves."""
    return [path for name in ("labs", "site") for path in sorted((site / "assets" / name).glob("*.js"))]


def references(page: BuiltPage) -> Iterator[str]:
    """The ids that elements of a page refer to: in labels, names, descriptions and pictures."""
    for element in page.elements:
        for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls", "list"):
            yield from element[name].split()
        for value in element.attributes.values():
            yield from re.findall(r"url\(#([^)]+)\)", value)
        if element.tag == "use":
            yield element["href"].removeprefix("#")


def test_what_style_sheets_load_is_there(site: Path) -> None:
    loaded = [
        (sheet, name)
        for sheet in sorted((site / "assets").rglob("*.css"))
        for name in CSS_URL.findall(sheet.read_text("utf-8"))
    ]
    for sheet, name in some(loaded):
        assert (sheet.parent / name.partition("#")[0]).is_file(), (sheet.name, name)


def test_what_scripts_import_is_there(site: Path) -> None:
    scripts = own_scripts(site)
    assert {"gpu-lab.js", "worker.js", "site.js"} <= {script.name for script in scripts}
    imported = {
        (script, name)
        for script in scripts
        for groups in JS_IMPORT.findall(script.read_text("utf-8"))
        for name in groups
        if name
    }
    assert imported
    assert [(script.name, name) for script, name in imported if not (script.parent / name).exists()] == []


def test_ids_that_a_page_refers_to_are_on_it(site: Path, pages: dict[str, BuiltPage]) -> None:
    for address, page in some((pages | {"404.html": BuiltPage.read(site / "404.html")}).items()):
        assert sorted(set(references(page)) - set(page.ids)) == [], address


def test_links_of_the_page_for_missing_addresses_lead_somewhere(site: Path) -> None:
    for link in some(BuiltPage.read(site / "404.html").all("a")):
        target = site / link["href"].lstrip("/").partition("#")[0]
        assert (target / "index.html").is_file() or target.is_file(), link["href"]


@pytest.mark.parametrize("name", REPOSITORY_PAGES)
def test_links_of_the_repositorys_pages_lead_somewhere(name: str) -> None:
    text = re.sub(r"^```.*?^```", "", (ROOT / name).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = [link for line in text.splitlines() for link in MARKDOWN_LINK.findall(without_code(line))]
    for link in some(links):
        path, _, anchor = link.partition("#")
        target = (ROOT / path) if path else ROOT / name
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            assert f"{{#{anchor}}}" in target.read_text("utf-8"), link
