"""Everything that is data, in one value: cards, labs and messages, with a project's own over the package's.

Edges build a `Library` and hand its parts down; nothing below them opens a file.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from labs.hardware.catalog import Catalog, builtin_catalog
from labs.report.writing import Messages

if (
    TYPE_CHECKING
):  # the readers are loaded when something is to be read: most commands want one kind of data only
    from labs.simulation.scenario import Workloads
    from labs.teaching.check_lab import CheckSample
    from labs.teaching.rollout_lab import RolloutLab
    from labs.teaching.scenario_lab import Lab

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
    """The catalog, labs, samples of check labs and rollout labs by id, and by language the messages and the words of the
    lint rules, and, when asked, the named workloads."""

    catalog: Catalog
    labs: Mapping[str, Lab]
    messages: Mapping[str, Messages]
    rules: Mapping[str, Messages]
    checks: Mapping[str, CheckSample]
    workloads: Callable[[], Workloads] = _workloads
    rollouts: Mapping[str, RolloutLab] = field(default_factory=dict)

    @property
    def names(self) -> Mapping[str, str]:
        """How a person calls what an id stands for: the cards' product names, without the maker's, by id."""
        return {model.id: model.name.removeprefix("NVIDIA ") for model in self.catalog.models}

    def lab(self, lab_id: str) -> Lab:
        """The lab with this id. Raises UnknownLabError."""
        if lab_id not in self.labs:
            raise UnknownLabError(lab_id, tuple(self.labs))
        return self.labs[lab_id]

    @property
    def samples(self) -> tuple[CheckSample, ...]:
        """The samples of check labs in the order in which they are offered."""
        return tuple(sorted(self.checks.values(), key=lambda sample: (sample.place, sample.id)))

    def overlaid(self, folder: Path) -> Library:
        """This library with a folder's `catalog.json`, `workloads.json`, `labs/*.yaml`, `checks/*.yaml` and
        `rollouts/*.yaml` over it.

        Raises OSError, CatalogError, WorkloadsError or ProblemsError.
        """
        catalog_file = folder / "catalog.json"
        catalog = self.catalog
        if catalog_file.exists():
            from labs.hardware.catalog import reader  # a catalog of one's own is rare

            catalog = catalog.overlaid(reader.read_catalog(catalog_file.read_text("utf-8")))
        labs = {**self.labs, **_labs(folder / "labs")} if (folder / "labs").is_dir() else self.labs
        checks = self.checks
        if (folder / "checks").is_dir():
            own = [_read_sample(file) for file in _yaml_files(folder / "checks").values()]
            checks = MappingProxyType({**checks, **{sample.id: sample for sample in own}})
        workloads = self.workloads
        if (folder / "workloads.json").exists():
            from labs.simulation.scenario import read_workloads

            added = {**workloads(), **read_workloads((folder / "workloads.json").read_text("utf-8"))}
            workloads = functools.partial(MappingProxyType, added)
        rollouts = self.rollouts
        if (folder / "rollouts").is_dir():
            found = [_read_rollout(file) for file in _yaml_files(folder / "rollouts").values()]
            rollouts = MappingProxyType({**rollouts, **{lab.id: lab for lab in found}})
        return Library(
            catalog, MappingProxyType(dict(labs)), self.messages, self.rules, checks, workloads, rollouts
        )


@functools.cache
def builtin_library() -> Library:
    """The package's own data: a lab `x` lies in `x.yaml`, the messages of a language in its folder."""
    data = files("labs") / "teaching" / "data"
    labs, checks = _yaml_files(data / "labs"), _yaml_files(data / "checks")
    rollouts = _yaml_files(data / "rollouts")
    return Library(
        builtin_catalog(),
        _WhenAsked({name: functools.partial(_read, file) for name, file in labs.items()}),
        _WhenAsked({language: functools.partial(_messages, language) for language in LANGUAGES}),
        _WhenAsked({language: functools.partial(_rule_words, language) for language in LANGUAGES}),
        _WhenAsked({name: functools.partial(_read_sample, file) for name, file in checks.items()}),
        rollouts=_WhenAsked(
            {name: functools.partial(_read_rollout, file) for name, file in rollouts.items()}
        ),
    )


def _messages(language: str) -> Messages:
    return Messages.from_toml(_toml_texts(_MESSAGES / language), language)


def _rule_words(language: str) -> Messages:
    """What the lint rules say: a table for each rule, in a file for each family of rules."""
    return Messages.from_toml(_toml_texts(_MESSAGES / _RULES / language), language)


def _toml_texts(folder: Traversable) -> list[str]:
    found = sorted(folder.iterdir(), key=lambda file: file.name)
    return [file.read_text("utf-8") for file in found if file.name.endswith(".toml")]


def _labs(folder: Path) -> dict[str, Lab]:
    found = [_read(file) for file in _yaml_files(folder).values()]
    return {lab.id: lab for lab in found}


def _read(file: Traversable) -> Lab:
    from labs.teaching.scenario_lab import read_lab

    return read_lab(file.read_text("utf-8"))


def _read_sample(file: Traversable) -> CheckSample:
    from labs.teaching.check_lab import read_check_sample

    return read_check_sample(file.read_text("utf-8"))


def _read_rollout(file: Traversable) -> RolloutLab:
    from labs.teaching.rollout_lab import read_rollout_lab

    return read_rollout_lab(file.read_text("utf-8"))


def _yaml_files(folder: Traversable) -> dict[str, Traversable]:
    """The YAML files of a folder by their names without the ending, in order."""
    found = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name
    )
    return {file.name.removesuffix(".yaml"): file for file in found}
