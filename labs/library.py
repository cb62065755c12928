"""Everything that is data, in one value: cards, labs and messages, with a project's own over the package's.

Edges build a `Library` and hand its parts down; nothing below them opens a file.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from labs.hardware.catalog import Catalog, builtin_catalog
from labs.report.writing import Messages
from labs.teaching.kinds import KINDS, KindEntry

if TYPE_CHECKING:  # most commands want neither workloads nor labs
    from labs.simulation.scenario import Workloads
    from labs.teaching.check_lab import CheckSample
    from labs.teaching.lab import LabKind, Limits
    from labs.teaching.rollout_lab import RolloutLab
    from labs.teaching.scenario_lab import Lab

_DATA = files("labs") / "teaching" / "data"
_MESSAGES = files("labs") / "messages"
_RULES = "rules"  # beside the languages' folders, with folders of its own
LANGUAGES = tuple(sorted(item.name for item in _MESSAGES.iterdir() if item.is_dir() and item.name != _RULES))
T = TypeVar("T")


def _workloads() -> Workloads:
    from labs.simulation.scenario import builtin_workloads

    return builtin_workloads()


class _WhenAsked(Mapping[str, T]):
    """Values by key in a fixed order, each made when it is first asked for: a page wants one language and one lab."""

    def __init__(self, makers: Mapping[str, Callable[[], T]]) -> None:
        self._makers = makers
        self._made: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._made:
            self._made[key] = self._makers[key]()
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


class UnknownLabError(LookupError):
    """No lab has this id; `known` are those there are."""

    def __init__(self, lab_id: str, known: tuple[str, ...]) -> None:
        super().__init__(lab_id)
        self.lab_id = lab_id
        self.known = known


@dataclass(frozen=True, slots=True)
class Library:
    """The catalog, the labs by kind and id, by language the messages and the words of the lint rules, the named workloads.

    `kinds` are those that the labs are of; `workloads` are read when asked for.
    """

    catalog: Catalog
    kinds: tuple[KindEntry, ...]
    labs_by_kind: Mapping[str, Mapping[str, Any]]
    messages: Mapping[str, Messages]
    rules: Mapping[str, Messages]
    workloads: Callable[[], Workloads] = _workloads

    @property
    def names(self) -> Mapping[str, str]:
        """How a person calls what an id stands for: the cards' product names, without the maker's, by id."""
        return {model.id: model.name.removeprefix("NVIDIA ") for model in self.catalog.models}

    def of(self, kind: str) -> Mapping[str, Any]:
        """The labs of a kind by id."""
        return self.labs_by_kind[kind]

    def opened(self, limits: Limits | None = None) -> Mapping[str, LabKind]:
        """The kinds by name over this library's labs, each loaded when it is first asked for; `limits` are of one run."""
        return _WhenAsked(
            {entry.name: functools.partial(_opened, entry, self, limits) for entry in self.kinds}
        )

    @property
    def labs(self) -> Mapping[str, Lab]:
        """The scenario labs by id."""
        return self.of("lab")

    @property
    def checks(self) -> Mapping[str, CheckSample]:
        """The samples of check labs by id."""
        return self.of("check")

    @property
    def rollouts(self) -> Mapping[str, RolloutLab]:
        """The rollout labs by id."""
        return self.of("rollout")

    def lab(self, lab_id: str) -> Lab:
        """The scenario lab with this id. Raises UnknownLabError."""
        if lab_id not in self.labs:
            raise UnknownLabError(lab_id, tuple(self.labs))
        return self.labs[lab_id]

    def overlaid(self, folder: Path) -> Library:
        """This library with a folder's `catalog.json`, `workloads.json` and the labs of each kind's folder over it.

        Raises OSError, CatalogError, WorkloadsError or ProblemsError.
        """
        catalog, workloads = self.catalog, self.workloads
        if (folder / "catalog.json").exists():
            from labs.hardware.catalog import reader  # a catalog of one's own is rare

            catalog = catalog.overlaid(reader.read_catalog((folder / "catalog.json").read_text("utf-8")))
        if (folder / "workloads.json").exists():
            from labs.simulation.scenario import read_workloads

            added = {**workloads(), **read_workloads((folder / "workloads.json").read_text("utf-8"))}
            workloads = functools.partial(MappingProxyType, added)
        labs = dict(self.labs_by_kind)
        for entry in self.kinds:
            if entry.folder and (folder / entry.folder).is_dir():
                own = [_lab(entry, file) for file in _yaml_files(folder / entry.folder).values()]
                labs[entry.name] = MappingProxyType({**labs[entry.name], **{lab.id: lab for lab in own}})
        return Library(catalog, self.kinds, MappingProxyType(labs), self.messages, self.rules, workloads)


@functools.cache
def builtin_library(kinds: tuple[KindEntry, ...] = KINDS) -> Library:
    """The package's own data: a lab `x` lies in `x.yaml`, the messages of a language in its folder."""
    return Library(
        builtin_catalog(),
        kinds,
        _WhenAsked({entry.name: functools.partial(_builtin_labs, entry) for entry in kinds}),
        _WhenAsked({language: functools.partial(_messages, language) for language in LANGUAGES}),
        _WhenAsked({language: functools.partial(_rule_words, language) for language in LANGUAGES}),
    )


def _messages(language: str) -> Messages:
    return Messages.from_toml(_toml_texts(_MESSAGES / language), language)


def _rule_words(language: str) -> Messages:
    """What the lint rules say: a table for each rule, in a file for each family of rules."""
    return Messages.from_toml(_toml_texts(_MESSAGES / _RULES / language), language)


def _toml_texts(folder: Traversable) -> list[str]:
    files_by_name = sorted(folder.iterdir(), key=lambda file: file.name)
    return [file.read_text("utf-8") for file in files_by_name if file.name.endswith(".toml")]


def _builtin_labs(entry: KindEntry) -> Mapping[str, Any]:
    """The package's labs of a kind: code, or a file each, which is read when it is asked for."""
    if not entry.folder:
        return entry.load().made()
    folder = _DATA / entry.folder
    lab_files = _yaml_files(folder) if folder.is_dir() else {}
    return _WhenAsked({name: functools.partial(_lab, entry, file) for name, file in lab_files.items()})


def _lab(entry: KindEntry, file: Traversable) -> Any:
    return entry.load().read(file.read_text("utf-8"))


def _opened(entry: KindEntry, library: Library, limits: Limits | None) -> LabKind:
    from labs.teaching.lab import Limits

    return entry.opened(library, limits or Limits())


def _yaml_files(folder: Traversable) -> dict[str, Traversable]:
    """The YAML files of a folder by their names without the ending, in order."""
    lab_files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name
    )
    return {file.name.removesuffix(".yaml"): file for file in lab_files}
