"""Whose work the site holds: a notice for each bundle, made from what is installed, and no file without one."""

from __future__ import annotations

import importlib.metadata
import json
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

from hooks import notices
from hooks.licences import BUNDLES, TEXTS, unclaimed
from hooks.notices import (
    MATERIAL_ICONS,
    Notice,
    UnknownLicenceError,
    distribution_notice,
    kept_notice,
    node_notice,
    notices_text,
    python_notices,
    script_notices,
)
from tests.docs.conftest import ROOT
from tools.site import LANGUAGES

ICONS = Path(str(importlib.metadata.distribution("mkdocs-material").locate_file("material/templates/.icons")))


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A folder as the packers leave it: scripts of one package, an editor of none, and Python with SimPy."""
    (tmp_path / "packages.json").write_text(json.dumps({"scripts": ["crelt"], "editor": []}), "utf-8")
    with zipfile.ZipFile(tmp_path / "python-0.zip", "w") as archive:
        for name in ("labs/cli.pyc", "simpy/core.pyc", "json/__init__.pyc", "pyodide/__init__.pyc"):
            archive.writestr(name, b"")
    return tmp_path


def test_a_python_package_brings_its_notice() -> None:
    simpy = distribution_notice("simpy")
    assert (simpy.name.lower(), simpy.version) == ("simpy", importlib.metadata.version("simpy"))
    assert simpy.licence == "MIT"
    assert "Permission is hereby granted" in simpy.text


def test_a_package_in_a_script_brings_its_notice_where_it_is_used(packed: Path) -> None:
    [crelt] = script_notices(packed / "packages.json", "scripts")
    assert script_notices(packed / "packages.json", "editor") == []
    assert (crelt.name, crelt.licence) == ("crelt", "MIT")
    assert "Marijn Haverbeke" in crelt.text


def test_a_package_without_the_text_of_its_licence_ends_the_build() -> None:
    with pytest.raises(UnknownLicenceError, match=r"pyodide .* brings no text of a licence"):
        node_notice("pyodide")
    with pytest.raises(UnknownLicenceError, match=r"pagefind .* brings no text of a licence"):
        distribution_notice("pagefind")


def test_the_browsers_python_is_pyodide_cpython_and_the_packages_in_the_zip(packed: Path) -> None:
    assert [notice.name.lower() for notice in python_notices(packed)] == ["pyodide", "cpython", "simpy"]


def test_what_is_not_packed_yet_needs_no_notice(tmp_path: Path) -> None:
    assert script_notices(tmp_path / "packages.json", "editor") + python_notices(tmp_path) == []


def test_a_module_that_no_package_brings_ends_the_build(packed: Path) -> None:
    with zipfile.ZipFile(packed / "python-0.zip", "a") as archive:
        archive.writestr("stranger/__init__.pyc", b"")
    with pytest.raises(UnknownLicenceError, match="holds stranger, which no installed package brings"):
        python_notices(packed)


@pytest.mark.parametrize("key", ["pyodide", "cpython", "pagefind"])
def test_a_text_that_is_kept_here_is_for_one_version(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = (ROOT / "licences" / "kept.toml").read_text("utf-8")
    seen = tomllib.loads(kept)[key]["seen"]
    (tmp_path / "kept.toml").write_text(kept.replace(f'"{seen}"', '"0.0"'), "utf-8")
    monkeypatch.setattr(notices, "_KEPT", tmp_path)
    with pytest.raises(
        UnknownLicenceError, match=re.escape(f"is {seen}, and licences/kept.toml was last looked")
    ):
        kept_notice(key)


def test_the_text_for_cpython_is_for_the_version_in_the_browser() -> None:
    lock = json.loads((ROOT / "node_modules" / "pyodide" / "pyodide-lock.json").read_text("utf-8"))
    assert kept_notice("cpython").version == lock["info"]["python"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_and_page_say_of_which_cpython_the_text_is_and_what_it_leaves_out(language: str) -> None:
    text = (ROOT / "licences" / "cpython.txt").read_text("utf-8").partition("\n\n")[0]
    page = (ROOT / "docs" / language / "licences" / "index.md").read_text("utf-8")
    said = {"CPython 3.11", "mimalloc", "HACL", "Zstandard", "SQLite", "liblzma"}
    assert {name for name in said if name not in text or name not in page} == set()


def test_each_text_stands_once_under_all_it_is_for() -> None:
    same = "May be used."
    text = notices_text([Notice("a", "1", "MIT", same), Notice("b", "", "MIT", same, "where it is")])
    assert text.count(same) == 1
    assert f"a 1 (MIT)\nb (MIT, source: where it is)\n\n{same}" in text


def test_the_icons_in_materials_style_sheet_are_of_the_sets_with_a_notice(site: Path) -> None:
    drawn = set(re.findall(r"<path d='([^']+)'", (site / "assets/site/material.css").read_text("utf-8")))
    sets: dict[str, set[str]] = {}
    for icon in ICONS.rglob("*.svg"):
        for path in re.findall(r' d="([^"]+)"', icon.read_text("utf-8")):
            if path in drawn:
                sets.setdefault(path, set()).add(icon.relative_to(ICONS).parts[0])
    assert drawn
    assert drawn - sets.keys() == set()
    assert {folder for folders in sets.values() for folder in folders} == MATERIAL_ICONS.keys()


def test_the_site_has_the_texts_of_every_bundle(site: Path) -> None:
    text = (site / TEXTS).read_text("utf-8")
    for name in (
        "Pyodide",
        "CPython",
        "simpy",
        "@codemirror/view",
        "style-mod",
        "Pagefind",
        "mkdocs-material",
    ):
        assert re.search(rf"^{name} [\w.]+ \(", text, re.MULTILINE), name
    assert (ROOT / "LICENSE").read_text("utf-8").strip() in text


@pytest.mark.parametrize("page", ["licences", "ko/licences", "en/licences"])
def test_the_page_names_every_work_with_its_version_and_links_to_the_texts(site: Path, page: str) -> None:
    html = (site / page / "index.html").read_text("utf-8")
    assert f"SimPy {importlib.metadata.version('simpy')}".lower() in html.lower()
    [link] = re.findall(r'href="([^"]+licences\.txt)"', html)
    assert (site / page / link).resolve() == (site / TEXTS).resolve()


def test_the_footer_of_every_other_page_links_to_the_licences(site: Path) -> None:
    pages = {page for page in site.rglob("index.html") if page.parent.name != "licences"}
    linked = {page for page in pages if 'licences/"' in page.read_text("utf-8").partition("<footer")[2]}
    assert pages
    assert pages - linked == set()


def test_a_file_of_which_nobody_knows_whose_it_is_is_a_stranger(tmp_path: Path) -> None:
    places = [f"{place}x" if place.endswith("/") else place for bundle in BUNDLES for place in bundle.places]
    for address in ("index.html", "sitemap.xml", "assets/own.css", "assets/font.woff2", *places):
        (tmp_path / address).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / address).touch()
    assert list(unclaimed(tmp_path, {"assets/own.css"})) == ["assets/font.woff2"]
