"""The reference pages of the cards say what the catalog says: every card, every profile, how well each figure is known."""

from __future__ import annotations

import re

import pytest

from labs.hardware.catalog.catalog import GpuModel
from labs.library import LANGUAGES, builtin_library
from labs.report.cards.starts_picture import starts_scene
from labs.report.drawing.shapes import Path
from labs.report.pages.card_pages import CardPages, families
from tests.unit.report.test_scene import texts

LIBRARY = builtin_library()
CATALOG = LIBRARY.catalog
EN = LIBRARY.messages["en"]
CUT = [model for models in families(CATALOG).values() for model in models]
DRAWN = [model for model in CUT if starts_scene(model, EN)]

every_language = pytest.mark.parametrize("language", LANGUAGES)


def page(family: str, language: str = "en") -> str:
    return CardPages(LIBRARY.messages[language], CATALOG).page(family, families(CATALOG)[family])


def section(model: GpuModel) -> str:
    """What the page says of one card."""
    text = page(model.architecture.split()[0])
    return text.split(f"{{#{model.id}}}")[1].split("\n## ")[0]


@every_language
def test_every_card_is_on_a_page_and_every_profile_in_the_index(language: str) -> None:
    index = CardPages(LIBRARY.messages[language], CATALOG).index()
    for family, models in families(CATALOG).items():
        whole = page(family, language)
        for model in models:
            assert f"{{#{model.id}}}" in whole
            assert f"({family.lower()}.md#{model.id})" in index
            for profile in model.mig_profiles:
                assert f"| `{profile.name}` |" in whole
    rows = re.findall(r"(?m)^\| `", index)
    assert len(rows) == sum(len(model.mig_profiles) for model in CUT)
    assert all(f"`{model.id}`" in index for model in CATALOG.models if not model.supports_mig)


def test_a_figure_says_how_well_it_is_known() -> None:
    a30 = section(CATALOG.get("a30-24gb"))
    assert "| `4g.24gb` | 0 | 4 | 4 | 23.44† | 56 | 1 | 0 |" in a30
    assert "| `2g.12gb+me` | 6 | 2 | 2 | 11.69 | 28 | 1 | 0, 2‡ |" in a30
    assert "Memory: 24,576 MiB (two sources)" in a30


def test_what_is_not_known_stays_unknown() -> None:
    b300 = section(CATALOG.get("b300-269gb"))
    assert "Memory: not known" in b300
    assert "| `1g.34gb` | 19 | 1 | 1 | – | – |" in b300
    assert "Does switching MIG mode need a GPU reset? not known" in section(CATALOG.get("thor-igpu"))
    assert "no source was found for its profiles" in section(CATALOG.get("a100-64gb"))


@pytest.mark.parametrize("family", list(families(CATALOG)))
def test_every_source_that_a_page_names_is_listed_on_it(family: str) -> None:
    text = page(family)
    named = set(re.findall(r'href="#(source-[a-z0-9-]+)"', text))
    listed = re.findall(r'<dt id="(source-[a-z0-9-]+)">', text)
    assert named == set(listed)
    assert len(listed) == len(set(listed))


def test_the_picture_has_a_box_at_every_legal_start() -> None:
    scene = starts_scene(CATALOG.get("a100-40gb"), EN)
    assert scene is not None
    boxes = [shape.d.count("M") for shape in scene.shapes if isinstance(shape, Path)]
    compute, memory = 7, 8
    assert boxes == [compute, memory, 7, 4, 3, 2, 1, 1]
    assert "3g.20gb: size 4, starts 0, 4." in scene.description


def test_variants_with_the_same_places_share_a_row() -> None:
    scene = starts_scene(CATALOG.get("rtx-pro-6000-96gb"), EN)
    assert scene is not None
    assert [text.text for text in texts(scene) if "gb" in text.text] == ["1g.24gb", "2g.48gb", "4g.96gb"]


def test_without_the_number_of_slices_there_is_no_picture() -> None:
    assert starts_scene(CATALOG.get("thor-igpu"), EN) is None
    assert starts_scene(CATALOG.get("a100-64gb"), EN) is None


@every_language
@pytest.mark.parametrize("model", DRAWN, ids=lambda model: model.id)
def test_all_of_a_picture_is_inside(model: GpuModel, language: str) -> None:
    scene = starts_scene(model, LIBRARY.messages[language])
    assert scene is not None
    ends = [
        float(x) + float(across)
        for shape in scene.shapes
        if isinstance(shape, Path)
        for x, across in re.findall(r"M([\d.]+) [\d.]+h([\d.]+)", shape.d)
    ]
    assert max(ends) <= scene.width
    assert max(text.y for text in texts(scene)) < scene.height
