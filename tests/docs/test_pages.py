"""Every page: its links lead somewhere, and it holds nothing that a strict Content-Security-Policy blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from labs.site_server import POLICY
from tests.docs.built_page import BuiltPage
from tests.some import some

Pages = dict[str, BuiltPage]
Target = Callable[[str, str], tuple[Path, str]]

LOADING = {
    "script": "src",
    "img": "src",
    "source": "src",
    "iframe": "src",
    "form": "action",
    "object": "data",
}
LOADING_LINKS = {"stylesheet", "icon", "preload", "prefetch", "modulepreload"}
EVENT = re.compile(r"on[a-z]+")


def everything(site: Path, pages: Pages) -> dict[str, BuiltPage]:
    return pages | {"404.html": BuiltPage.read(site / "404.html")}


def loads(page: BuiltPage) -> list[str]:
    """Addresses that a browser requests by itself."""
    addresses = [element[LOADING[element.tag]] for element in page.all(*LOADING)]
    addresses += [link["href"] for link in page.all("link") if set(link["rel"].split()) & LOADING_LINKS]
    return [address for address in addresses if address]


def test_links_and_anchors_resolve(pages: Pages, target: Target) -> None:
    ids = {}
    broken = []
    for address, page in pages.items():
        for link in page.all("a"):
            if urlsplit(link["href"]).scheme:
                continue
            file, anchor = target(address, link["href"])
            if file not in ids:
                ids[file] = set(BuiltPage.read(file).ids) if file.is_file() else None
            known = ids[file]
            if known is None or (anchor and anchor not in known):
                broken.append((address, link["href"]))
    assert broken == []


def test_ids_are_unique_on_a_page(site: Path, pages: Pages) -> None:
    for address, page in some(everything(site, pages).items()):
        assert [name for name, count in Counter(page.ids).items() if count > 1] == [], address


def test_what_a_page_loads_is_part_of_the_site(site: Path, pages: Pages, target: Target) -> None:
    for address, page in some(everything(site, pages).items()):
        for loaded in some(loads(page)):
            assert urlsplit(loaded)[:2] == ("", ""), (address, loaded)
            # The page for missing addresses looks for the site's root in each folder above the address.
            base, loaded = ("", loaded.lstrip("./")) if address == "404.html" else (address, loaded)
            assert target(base, loaded)[0].is_file(), (address, loaded)


def test_addresses_in_pages_are_relative(pages: Pages) -> None:
    for address, page in some(pages.items()):
        hrefs = [element["href"] for element in page.all("a", "link")] + loads(page)
        assert [href for href in hrefs if href.startswith("/")] == [], address


def test_the_page_for_missing_addresses_knows_the_path_of_the_site(published: Path) -> None:
    page = BuiltPage.read(published / "404.html")
    assert all(loaded.startswith("/gpu/assets/") for loaded in loads(page))
    assert len(loads(page)) == len(set(loads(page)))
    assert [link["href"] for link in page.all("a")] == ["/gpu/.", "/gpu/ko/", "/gpu/en/"]


def test_no_page_holds_a_script_or_a_style(site: Path, pages: Pages) -> None:
    for address, page in some(everything(site, pages).items()):
        for element in some(page.elements):
            assert element.tag not in {"style", "base", "object", "embed"}, address
            assert element.tag != "script" or element["src"] or element["type"] == "application/json", address
            inline = [name for name in element.attributes if name == "style" or EVENT.fullmatch(name)]
            assert inline == [], (address, element.tag, inline)
            assert not element["href"].startswith("javascript:"), address


@pytest.mark.slow
def test_pages_carry_the_policy_only_for_hosts_that_cannot_send_it(site: Path, published: Path) -> None:
    for folder, expected in ((site, []), (published, [POLICY])):
        for path in some(sorted(folder.rglob("*.html"))):
            page = BuiltPage.read(path)
            said = [meta["content"] for meta in page.all("meta") if meta["http-equiv"]]
            assert said == expected, path
            if said:  # what stands before it would be loaded without it
                before = page.elements[: next(i for i, e in enumerate(page.elements) if e["http-equiv"])]
                assert [element.tag for element in before] == ["html", "head", "meta"], path


def test_no_style_sheet_or_script_of_the_frame_names_another_origin(site: Path) -> None:
    for path in some(sorted((site / "assets" / "site").glob("*.css"))):
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", path.read_text("utf-8")), path.name
    for path in sorted((site / "assets" / "site").glob("*.js")):
        assert not re.search(r"https?://", path.read_text("utf-8")), path.name


def test_what_style_sheets_import_is_there(site: Path) -> None:
    imported = [
        (path, name)
        for path in sorted((site / "assets").rglob("*.css"))
        for name in re.findall(r'@import\s+(?:url\()?"([^"]+)"', path.read_text("utf-8"))
    ]
    for path, name in some(imported):
        assert (path.parent / name).is_file(), (path.name, name)


SHAPES = ("path", "rect", "circle", "line", "polyline", "polygon", "ellipse", "text")


def styles(page: BuiltPage, address: str, target: Target) -> str:
    """What stands in the style sheets that a page loads, and in those that these import."""
    files = [target(address, link["href"])[0] for link in page.all("link") if link["rel"] == "stylesheet"]
    found = []
    for file in files:
        found.append(file.read_text("utf-8"))
        files += [file.parent / name for name in re.findall(r'@import\s+(?:url\()?"([^"]+)"', found[-1])]
    return "".join(found)


def test_each_shape_of_a_picture_has_a_style_on_its_page(pages: Pages, target: Target) -> None:
    """Without one it is black, in the light and in the dark."""
    known: dict[tuple[str, ...], set[str]] = {}
    for address, page in some(pages.items()):
        loaded = tuple(link["href"].lstrip("./") for link in page.all("link") if link["rel"] == "stylesheet")
        if loaded not in known:
            known[loaded] = set(re.findall(r"\.(gl-[\w-]+)", styles(page, address, target)))
        drawn = [shape["class"].split() for shape in page.all(*SHAPES) if "gl-" in shape["class"]]
        assert [names for names in drawn if known[loaded].isdisjoint(names)] == [], address


def test_no_lab_stands_in_a_paragraph(pages: Pages) -> None:
    for address, page in some(pages.items()):
        assert not re.search(r"<p>\s*<gpu-lab", page.html), address


def test_only_pages_with_a_lab_load_the_labs(pages: Pages) -> None:
    for address, page in some(pages.items()):
        has_lab, has_check = any(page.all("gpu-lab")), any(page.all("gpu-check"))
        has_planner, has_form = any(page.all("gpu-planner")), any(page.all("gpu-form"))
        loaded = loads(page)
        has_rollout = any(page.all("gpu-rollout"))
        has_any = has_lab or has_check or has_planner or has_form or has_rollout
        assert any("assets/labs/" in one for one in loaded) == has_any, address
        assert any("gpu-lab.js" in one for one in loaded) == has_lab, address
        assert any("gpu-check.js" in one for one in loaded) == has_check, address
        assert any("gpu-planner.js" in one for one in loaded) == has_planner, address
        assert any("gpu-form.js" in one for one in loaded) == has_form, address
        assert any("gpu-rollout.js" in one for one in loaded) == has_rollout, address


def test_material_brings_its_style_sheet_and_nothing_else(site: Path) -> None:
    names = sorted(path.name for path in (site / "assets").iterdir())
    assert names == ["labs", "licences.txt", "search", "site"]
    assert (site / "assets" / "site" / "material.css").is_file()


def test_each_page_has_one_main_part_and_one_first_heading(pages: Pages) -> None:
    for address, page in some(pages.items()):
        page.one("main")
        assert len(list(page.all("h1"))) == 1, address


def test_no_title_and_no_footer_says_the_same_twice(pages: Pages) -> None:
    for address, page in some(pages.items()):
        parts = page.title.split(" | ")
        assert len(parts) == len(set(parts)), address
        named = [link.text for link in page.all("a", inside="gl-footer")]
        assert len(named) == len(set(named)) > 0, address


def test_each_home_page_is_marked_as_the_page_that_is_read(pages: Pages) -> None:
    homes = [
        address
        for address, page in pages.items()
        if next(page.all("a", **{"class": "gl-brand"}))["aria-current"]
    ]
    assert sorted(homes) == ["", "en/", "ko/"]


def test_no_reference_to_a_number_is_left_in_prose(pages: Pages) -> None:
    for address, page in some(pages.items()):
        assert [p.text for p in page.all("p", "li", "td", "dd") if "{{" in p.text] == [], address
