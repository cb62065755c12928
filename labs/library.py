"""Everything that is data, in one value: cards, labs and messages, with a project's own over the package's.

Edges build a `Library` and hand its parts down; nothing below them opens a file.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType

from labs.hardware.catalog import Catalog, builtin_catalog
from labs.report.messages import Messages
from labs.teaching.lab import Lab
from labs.teaching.lab_reader import read_lab

LANGUAGES = ("en", "ja", "ko")


class UnknownLabError(LookupError):
    """No lab has this id; `known` are those there are."""

    def __init__(self, lab_id: str, known: tuple[str, ...]) -> None:
        super().__init__(lab_id)
        self.lab_id = lab_id
        self.known = known


@dataclass(frozen=True, slots=True)
class Library:
    """The catalog, the labs by id in order, and the messages by language."""

    catalog: Catalog
    labs: Mapping[str, Lab]
    messages: Mapping[str, Messages]

    @property
    def names(self) -> Mapping[str, str]:
        """How a person calls what an id stands for: the cards' product names, without the maker's, by id."""
        return {model.id: model.name.removeprefix("NVIDIA ") for model in self.catalog.models}

    def lab(self, lab_id: str) -> Lab:
        """The lab with this id. Raises UnknownLabError."""
        if lab_id not in self.labs:
            raise UnknownLabError(lab_id, tuple(self.labs))
        return self.labs[lab_id]

    def overlaid(self, folder: Path) -> Library:
        """This library with a folder's `catalog.json` and `labs/*.yaml` over it.

        Raises OSError, CatalogError or ProblemsError.
        """
        catalog_file = folder / "catalog.json"
        catalog = self.catalog
        if catalog_file.exists():
            catalog = catalog.overlaid(Catalog.from_json(catalog_file.read_text("utf-8")))
        labs = {**self.labs, **_labs(folder / "labs")} if (folder / "labs").is_dir() else self.labs
        return Library(catalog, MappingProxyType(dict(labs)), self.messages)


@functools.cache
def builtin_library() -> Library:
    """The package's own data."""
    package = files("labs")
    messages = {
        language: Messages.from_toml((package / "messages" / f"{language}.toml").read_text("utf-8"), language)
        for language in LANGUAGES
    }
    labs = _labs(package / "teaching" / "data" / "labs")
    return Library(builtin_catalog(), MappingProxyType(labs), MappingProxyType(messages))


def _labs(folder: Traversable) -> dict[str, Lab]:
    found = sorted(
        (item for item in folder.iterdir() if item.name.endswith(".yaml")), key=lambda item: item.name
    )
    labs = [read_lab(item.read_text("utf-8")) for item in found]
    return {lab.id: lab for lab in labs}
