"""Reading a catalog file: JSON text to `Catalog`, with a check of every key.

The reader goes on after a defect and reports all of them at once (`CatalogError.problems`).
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TypeVar

from labs.hardware.catalog.catalog import Catalog, GpuModel, PciDevice
from labs.hardware.catalog.errors import CatalogError, CatalogProblem
from labs.hardware.catalog.figures import Confidence, Figure
from labs.hardware.catalog.profile import Engines, MemoryReading, MigProfile, PlacementOrder, Placements

FORMAT = 1
ID_PATTERN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
CAPABILITY_PATTERN = re.compile(r"[0-9]+\.[0-9]+")
PCI_PATTERN = re.compile(r"0x[0-9A-F]{4}")
CONFIDENCES = {level.value: level for level in Confidence}
FIGURE_KEYS = ("value", "sources", "confidence")
FIGURE_EXTRAS = ("note", "basis")

V = TypeVar("V")


@dataclass(slots=True)
class _Node:
    """A JSON value, its place in the file and the list that its problems go to."""

    value: object
    parent: _Node | None
    key: str | int
    problems: list[CatalogProblem]

    @property
    def path(self) -> str:
        """The place as `gpus[3].memory_mib`, put together only when there is something to report."""
        above = self.parent.path if self.parent else ""
        if isinstance(self.key, int):
            return f"{above}[{self.key}]"
        return f"{above}.{self.key}" if above else self.key

    def report(self, message: str) -> None:
        self.problems.append(CatalogProblem(self.path, message))

    def expected(self, what: str) -> None:
        text = json.dumps(self.value, ensure_ascii=False)
        self.report(f"{text if len(text) <= 60 else text[:57] + '...'} is not {what}")

    def child(self, key: str, value: object) -> _Node:
        return _Node(value, self, key, self.problems)

    def keys(self, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, _Node]:
        """The members of an object; unknown and missing keys are problems, a missing one reads as null."""
        if not isinstance(self.value, dict):
            self.expected("an object")
            return {key: self.child(key, None) for key in required + optional}
        known = required + optional
        for key in self.value:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                hint = f'did you mean "{near[0]}"?' if near else f"known keys: {', '.join(known)}"
                self.child(key, None).report(f'unknown key "{key}": {hint}')
        for key in required:
            if key not in self.value:
                self.report(f'the key "{key}" is missing')
        return {key: self.child(key, self.value.get(key)) for key in known}

    def entries(self) -> tuple[tuple[str, _Node], ...]:
        """The members of an object whose keys are free."""
        if not isinstance(self.value, dict):
            self.expected("an object")
            return ()
        return tuple((key, self.child(key, value)) for key, value in self.value.items())

    def items(self) -> tuple[_Node, ...]:
        if not isinstance(self.value, list):
            self.expected("a list")
            return ()
        return tuple(_Node(item, self, index, self.problems) for index, item in enumerate(self.value))

    def text(self) -> str:
        if isinstance(self.value, str) and self.value.strip():
            return self.value
        self.expected("a text")
        return ""

    def whole(self) -> int:
        if isinstance(self.value, int) and not isinstance(self.value, bool) and self.value >= 0:
            return self.value
        self.expected("a whole number of 0 or more")
        return 0

    def number(self) -> float:
        if isinstance(self.value, int | float) and not isinstance(self.value, bool) and self.value > 0:
            return float(self.value)
        self.expected("a number above 0")
        return 0.0

    def flag(self) -> bool:
        if isinstance(self.value, bool):
            return self.value
        self.expected("true or false")
        return False

    def texts(self) -> tuple[str, ...]:
        return tuple(item.text() for item in self.items())

    def maybe(self, read: Callable[[_Node], V]) -> V | None:
        return None if self.value is None else read(self)

    def confidence(self) -> Confidence:
        level = CONFIDENCES.get(self.value) if isinstance(self.value, str) else None
        if level is None:
            self.expected(f"a confidence: one of {', '.join(CONFIDENCES)}")
        return level or Confidence.INFERRED


def read_catalog(text: str) -> Catalog:
    """The catalog in `text`; raises `CatalogError` with every problem of the file."""
    problems: list[CatalogProblem] = []
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError) as error:
        raise CatalogError((CatalogProblem("", f"this is not JSON: {error}"),)) from error
    root = _Node(value, None, "", problems).keys(("format", "sources", "gpus"), ("about",))
    if root["format"].value != FORMAT:
        root["format"].expected(f"a known format: this version reads format {FORMAT}")
    sources = {key: node.text() for key, node in root["sources"].entries()}
    about = {key: node.text() for key, node in root["about"].maybe(_Node.entries) or ()}
    models = tuple(_gpu(node, frozenset(sources)) for node in root["gpus"].items())
    _report_repeats(root["gpus"], [model.id for model in models])
    if problems:
        raise CatalogError(tuple(problems))
    return Catalog(models=models, sources=MappingProxyType(sources), about=MappingProxyType(about))


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(f'the key "{key}" is given twice in one object')
        members[key] = value
    return members


def _report_repeats(node: _Node, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name and name in seen:
            node.report(f'"{name}" is given twice: every entry needs a name of its own')
        seen.add(name)


def _sources(node: _Node, declared: frozenset[str]) -> tuple[str, ...]:
    names = []
    for item in node.items():
        name = item.text()
        if name and name not in declared:
            item.report(f'"{name}" is not declared: add it under "sources"')
        names.append(name)
    return tuple(names)


def _figure(node: _Node, declared: frozenset[str], read: Callable[[_Node], V]) -> Figure[V]:
    members = node.keys(FIGURE_KEYS, FIGURE_EXTRAS)
    value = members["value"].maybe(read)
    sources = _sources(members["sources"], declared)
    confidence = members["confidence"].maybe(_Node.confidence)
    if value is not None and (not sources or confidence is None):
        node.report("a value needs at least one source and a confidence")
    if value is None and (sources or confidence is not None):
        node.report("sources and confidence belong to a value: leave them empty and null where it is null")
    note, basis = members["note"].maybe(_Node.text), members["basis"].maybe(_Node.text)
    return Figure(value, sources, confidence, note, basis)


GPU_KEYS = tuple(field.name for field in fields(GpuModel))


def _gpu(node: _Node, declared: frozenset[str]) -> GpuModel:
    members = node.keys(GPU_KEYS)
    marketing = members["marketing"].texts()
    if not marketing:
        members["marketing"].report("a card needs at least one name")
    memory_slices = members["memory_slices"].maybe(_Node.whole)
    profiles = tuple(_profile(item, declared, memory_slices) for item in members["mig_profiles"].items())
    _report_repeats(members["mig_profiles"], [profile.name for profile in profiles])
    return GpuModel(
        id=_matching(members["id"], ID_PATTERN, "an id of small letters, digits and single hyphens"),
        product_name=_figure(members["product_name"], declared, _Node.text),
        marketing=marketing,
        architecture=members["architecture"].text(),
        compute_capability=members["compute_capability"].maybe(_capability),
        pci=tuple(_pci(item, declared) for item in members["pci"].items()),
        memory_advertised_gb=members["memory_advertised_gb"].maybe(_Node.whole),
        memory_mib=_figure(members["memory_mib"], declared, _Node.whole),
        sm_total=_figure(members["sm_total"], declared, _Node.whole),
        sm_in_mig_7g=members["sm_in_mig_7g"].maybe(_Node.whole),
        memory_slices=memory_slices,
        compute_slices=members["compute_slices"].maybe(_Node.whole),
        mig_mode_enable_needs_gpu_reset=members["mig_mode_enable_needs_gpu_reset"].maybe(_Node.flag),
        mig_mode_persists_reboot=members["mig_mode_persists_reboot"].maybe(_Node.flag),
        min_driver=members["min_driver"].maybe(_Node.text),
        placement_order=members["placement_order"].maybe(_placement_order),
        quirks=members["quirks"].texts(),
        mig_profiles=profiles,
    )


def _matching(node: _Node, pattern: re.Pattern[str], what: str) -> str:
    text = node.text()
    if text and not pattern.fullmatch(text):
        node.expected(what)
    return text


def _capability(node: _Node) -> str:
    return _matching(node, CAPABILITY_PATTERN, 'a compute capability in quotes, such as "8.0"')


def _pci(node: _Node, declared: frozenset[str]) -> PciDevice:
    members = node.keys(("device_id", "board", "sources", "confidence"))
    return PciDevice(
        device_id=_matching(members["device_id"], PCI_PATTERN, 'a PCI device id such as "0x20B0"'),
        board=members["board"].text(),
        sources=_sources(members["sources"], declared),
        confidence=members["confidence"].confidence(),
    )


def _placement_order(node: _Node) -> PlacementOrder:
    members = node.keys(("algorithm", "preference", "source", "confidence"), ("note",))
    return PlacementOrder(
        algorithm=members["algorithm"].text(),
        preference=tuple((family, _starts(starts)) for family, starts in members["preference"].entries()),
        source=members["source"].text(),
        confidence=members["confidence"].confidence(),
        note=members["note"].maybe(_Node.text),
    )


def _starts(node: _Node) -> tuple[int, ...]:
    return tuple(item.whole() for item in node.items())


PROFILE_EXTRAS = ("notes", "memory_other_readings")
PROFILE_KEYS = tuple(field.name for field in fields(MigProfile) if field.name not in PROFILE_EXTRAS)


def _profile(node: _Node, declared: frozenset[str], card_slices: int | None) -> MigProfile:
    members = node.keys(PROFILE_KEYS, PROFILE_EXTRAS)
    readings = members["memory_other_readings"].maybe(_Node.items) or ()
    placements = _figure(members["placements"], declared, _placements)
    if placements.value and card_slices and _end(placements.value) > card_slices:
        members["placements"].report(f"a placement ends beyond the card's {card_slices} memory slices")
    return MigProfile(
        name=members["name"].text(),
        compute_slices=members["compute_slices"].whole(),
        memory_slices=members["memory_slices"].maybe(_Node.whole),
        attributes=members["attributes"].texts(),
        gi_profile_id=members["gi_profile_id"].maybe(_Node.whole),
        nvml_profile_enum=members["nvml_profile_enum"].maybe(_Node.whole),
        memory_gib=_figure(members["memory_gib"], declared, _Node.number),
        memory_mib=_figure(members["memory_mib"], declared, _Node.whole),
        sms=_figure(members["sms"], declared, _Node.whole),
        max_instances=_figure(members["max_instances"], declared, _Node.whole),
        placements=placements,
        engines=_figure(members["engines"], declared, _engines),
        notes=members["notes"].maybe(_Node.text),
        memory_other_readings=tuple(_reading(item) for item in readings),
    )


def _placements(node: _Node) -> Placements:
    members = node.keys(("size", "starts"))
    starts = _starts(members["starts"])
    if list(starts) != sorted(set(starts)):
        members["starts"].report("starts must ascend, each once")
    return Placements(members["size"].whole(), starts)


def _end(placements: Placements) -> int:
    return max(placements.starts, default=0) + placements.size


def _engines(node: _Node) -> Engines:
    members = node.keys(("copy_engines", "decoders", "encoders", "jpeg", "ofa"))
    return Engines(**{key: member.maybe(_Node.whole) for key, member in members.items()})


def _reading(node: _Node) -> MemoryReading:
    members = node.keys(("source",), ("gib", "mib"))
    gib, mib = members["gib"].maybe(_Node.number), members["mib"].maybe(_Node.whole)
    if (gib is None) == (mib is None):
        node.report('a reading has either "gib" or "mib"')
    return MemoryReading(members["source"].text(), gib, mib)
