"""The reference pages of the cards and their MIG profiles, as Markdown: from the catalog and the words of a language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from labs.hardware.catalog import Catalog, Confidence, Figure, GpuModel, MigProfile
from labs.hardware.mig import default_starts
from labs.report.cards import number_or_nothing, starts_scene
from labs.report.drawing import svg
from labs.report.writing import (
    EMPTY,
    NOTHING,
    Html,
    Messages,
    attributes,
    escape,
    escape_content,
    html,
    join,
    unbroken,
)

_INDEX_COLUMNS = ("profile", "card", "gib", "sms", "compute", "memory", "max")
_COLUMNS = ("profile", "id", "compute", "memory", "gib", "sms", "max", "starts")
_MARKS = {Confidence.ONE_SOURCE: "†", Confidence.INFERRED: "‡"}


def families(catalog: Catalog) -> Mapping[str, tuple[GpuModel, ...]]:
    """The cards that MIG supports by the first word of their architecture, which is also the name of their page."""
    groups: dict[str, list[GpuModel]] = {}
    for model in catalog.models:
        if model.supports_mig:
            groups.setdefault(model.architecture.split()[0], []).append(model)
    return {family: tuple(models) for family, models in groups.items()}


class CardPages:
    """Writes the pages of one language."""

    def __init__(self, messages: Messages, catalog: Catalog) -> None:
        self._messages = messages
        self._catalog = catalog

    def index(self) -> str:
        """The page on which a profile is looked for by its name, on all cards."""
        text = self._messages.text
        rows = [
            self._index_row(family, model, profile)
            for family, models in families(self._catalog).items()
            for model in models
            for profile in model.mig_profiles
        ]
        return "\n".join(
            [
                *_head(text("card-page.title"), text("card-page.description"), "hardware"),
                text("card-page.lead"),
                "",
                *self._cards_of_families(),
                f"## {text('card-page.find')} {{#find}}",
                "",
                text("card-page.find-lead"),
                "",
                self._filter(),
                "",
                *self._table(_INDEX_COLUMNS, rows),
                f"## {text('card-page.reading')} {{#reading}}",
                "",
                *(
                    line
                    for part in ("slices", "starts", "memory", "known")
                    for line in (text(f"card-page.reading-{part}"), "")
                ),
                f"## {text('card-page.without')} {{#without-mig}}",
                "",
                text("card-page.without-lead"),
                "",
                *(self._without_mig(model) for model in self._catalog.models if not model.supports_mig),
                "",
                f"## {text('card-page.terminal')} {{#in-a-terminal}}",
                "",
                "```sh",
                "gpulab mig profiles --gpu a100-40gb",
                "gpulab mig place --gpu a100-40gb 3g.20gb 2g.10gb 1g.5gb",
                "```",
                "",
            ]
        )

    def page(self, family: str, models: Sequence[GpuModel]) -> str:
        """The cards of an architecture."""
        text = self._messages.text
        names = self._messages.text("list.comma").join(_short(model) for model in models)
        description = text("card-page.family-description", family=family, cards=names)
        parts = [*_head(text("card-page.family-title", family=family), description, family.lower())]
        parts += [text("card-page.family-lead", family=family), ""]
        for model in models:
            parts += self._card(model)
        cited = {key for model in models for key in _cited(model)}
        parts += [f"## {text('card-page.sources')} {{#sources}}", "", '<dl class="gl-sources">']
        parts += [
            html(
                '<dt{}><code>{}</code></dt><dd lang="en">{}</dd>',
                attributes(id=_source_id(key)),
                escape(key),
                escape_content(source),
            )
            for key, source in self._catalog.sources.items()
            if key in cited
        ]
        parts += ["</dl>", "", f"[{text('card-page.all')}](index.md)", ""]
        return "\n".join(parts)

    def _cards_of_families(self) -> Iterator[str]:
        for family, models in families(self._catalog).items():
            links = self._messages.text("list.comma").join(
                f"[{_short(model)}]({family.lower()}.md#{model.id})" for model in models
            )
            yield f"- [{family}]({family.lower()}.md): {links}"
        yield ""

    def _filter(self) -> Html:
        text = self._messages.text
        words = {
            "data_label": text("card-page.filter"),
            "data_none": text("card-page.filter-none"),
            "data_shown": text("card-page.filter-shown", shown="{shown}", all="{all}"),
        }
        return html("<gl-filter{}></gl-filter>", attributes(**words))

    def _index_row(self, family: str, model: GpuModel, profile: MigProfile) -> str:
        card = f"[{_short(model)}]({family.lower()}.md#{model.id})"
        cells = self._cells(profile)
        figures = [cells[column] for column in _INDEX_COLUMNS if column in cells and column != "profile"]
        return f"| {' | '.join((cells['profile'], card, *figures))} |"

    def _cells(self, profile: MigProfile) -> dict[str, str]:
        """A profile's cells by column; a figure with its mark of how well it is supported."""
        placements = profile.placements.value
        starts = NOTHING if placements is None else ", ".join(map(str, placements.starts))
        return {
            "profile": f"`{profile.name}`",
            "id": number_or_nothing(profile.gi_profile_id, self._messages),
            "compute": number_or_nothing(profile.compute_slices, self._messages),
            "memory": number_or_nothing(profile.memory_slices, self._messages),
            "gib": number_or_nothing(profile.memory_gib.value, self._messages) + _mark(profile.memory_gib),
            "sms": number_or_nothing(profile.sms.value, self._messages) + _mark(profile.sms),
            "max": number_or_nothing(profile.max_instances.value, self._messages)
            + _mark(profile.max_instances),
            "starts": starts + _mark(profile.placements),
        }

    def _table(self, columns: Sequence[str], rows: Sequence[str]) -> Iterator[str]:
        """A table with figures to the right, in a frame that lets its columns be narrow."""
        text = self._messages.text
        names = [
            text("card-page.card") if column == "card" else text(f"cli.mig.column.{column}")
            for column in columns
        ]
        lines = (" --- " if column in ("profile", "card") else " ---: " for column in columns)
        yield from ('<div class="gl-profiles" markdown>', "")
        yield f"| {' | '.join(names)} |"
        yield f"|{'|'.join(lines)}|"
        yield from rows
        yield from ("", "</div>", "", text("card-page.marks"), "")

    def _without_mig(self, model: GpuModel) -> str:
        memory, sms = self._figure(model.memory_mib, "unit.mib"), self._figure(model.sm_total)
        return "- " + self._messages.text(
            "card-page.without-card",
            gpu=_short(model),
            id=model.id,
            architecture=model.architecture,
            memory=memory,
            sms=sms,
        )

    def _card(self, model: GpuModel) -> Iterator[str]:
        text = self._messages.text
        yield from (f"## {_short(model)} {{#{model.id}}}", "")
        yield from (f"- {fact}" for fact in self._facts(model))
        yield ""
        if not model.mig_profiles:
            yield from (text("cli.mig.profiles-unknown", gpu=model.name), "")
            yield from self._provenance(model)
            return
        scene = starts_scene(model, self._messages)
        if scene is not None:
            drawn = unbroken(svg(scene, f"starts-{model.id}", "gl-starts"))
            yield from (html('<div class="gl-starts-box">{}</div>', drawn), "")
        cells = [self._cells(profile) for profile in model.mig_profiles]
        rows = [f"| {' | '.join(row[column] for column in _COLUMNS)} |" for row in cells]
        yield from self._table(_COLUMNS, rows)
        if model.placement_order is not None:
            starts = text("cli.mig.known-join").join(
                f"`{profile.name}` {', '.join(map(str, default_starts(model, profile)))}"
                for profile in model.mig_profiles
                if not profile.attributes and profile.placements.known
            )
            confidence = text(f"cli.mig.confidence.{model.placement_order.confidence}")
            yield from (text("cli.mig.order-note", starts=starts, confidence=confidence), "")
        yield from self._provenance(model)

    def _facts(self, model: GpuModel) -> Iterator[str]:
        text = self._messages.text
        yield text("card-page.id", id=model.id)
        others = [name for name in model.marketing if name != model.name]
        if others:
            yield text("card-page.names", names=self._messages.text("list.comma").join(others))
        capability = model.compute_capability or text("cli.mig.confidence.unknown")
        yield text("card-page.architecture", architecture=model.architecture, capability=capability)
        yield text("card-page.memory", memory=self._figure(model.memory_mib, "unit.mib"))
        yield text("card-page.sms", sms=self._figure(model.sm_total))
        unknown = text("cli.mig.confidence.unknown")
        yield text(
            "card-page.slices",
            memory=model.memory_slices if model.memory_slices is not None else unknown,
            compute=model.compute_slices if model.compute_slices is not None else unknown,
        )
        if model.min_driver is not None:
            yield text("card-page.driver", driver=model.min_driver.split()[0])
        reset, kept = model.mig_mode_enable_needs_gpu_reset, model.mig_mode_persists_reboot
        yield text("card-page.reset", answer=self._answer(reset))
        yield text("card-page.kept", answer=self._answer(kept))
        if model.pci:
            ids = (f"`{device.device_id}` {device.board}" for device in model.pci)
            yield text("card-page.pci", ids=self._messages.text("list.comma").join(ids))

    def _answer(self, value: bool | None) -> str:
        return self._messages.text(
            "cli.mig.confidence.unknown" if value is None else f"card-page.{'yes' if value else 'no'}"
        )

    def _figure(self, figure: Figure[int], unit: str = "") -> str:
        """A figure with how well it is supported."""
        text = self._messages.text
        if figure.value is None or figure.confidence is None:
            return text("cli.mig.confidence.unknown")
        level = text(f"cli.mig.confidence.{figure.confidence}")
        number = self._messages.number(figure.value)
        return text("card-page.figure", value=text(unit, n=number) if unit else number, confidence=level)

    def _provenance(self, model: GpuModel) -> Iterator[Html]:
        """Folded: which source says what, and the notes, which are in the words of whoever looked it up."""
        text = self._messages.text
        yield html('<details class="gl-provenance">')
        yield html("<summary>{}</summary>", escape(text("card-page.provenance")))
        yield html("<ul>")
        for name, keys in _sources(model).items():
            links = (html('<a href="#{}">{}</a>', escape(_source_id(key)), escape(key)) for key in keys)
            yield html("<li><code>{}</code>: {}</li>", escape(name), join(links, ", "))
        yield html("</ul>")
        notes = list(_notes(model))
        if notes:
            yield html('<p>{}</p><ul lang="en">', escape(text("card-page.notes")))
            yield from (html("<li>{}</li>", escape_content(note)) for note in notes)
            yield html("</ul>")
        yield from (html("</details>"), EMPTY)


def _head(title: str, description: str, heading_id: str) -> list[str]:
    front = ["---", f'title: "{title}"', f'description: "{description}"', "---", ""]
    return [*front, f"# {title} {{#{heading_id}}}", ""]


def _mark(figure: Figure[object]) -> str:
    return "" if figure.confidence is None else _MARKS.get(figure.confidence, "")


def _short(model: GpuModel) -> str:
    """What a person calls the card: its first name without the maker's and without a remark at the end."""
    return re.sub(r" \([^()]*\)$", "", model.marketing[0].removeprefix("NVIDIA "))


def _source_id(key: str) -> str:
    return f"source-{key.lower().replace('_', '-')}"


def _sources(model: GpuModel) -> dict[str, tuple[str, ...]]:
    """The sources of the card's figures and, all profiles together, of theirs, by the name of the figure."""
    keys_of: dict[str, dict[str, None]] = {}
    pci = {key: None for device in model.pci for key in device.sources}
    if pci:
        keys_of["pci"] = pci
    own = model.figures
    profiles = [
        (f"mig_profiles.{name}", figure) for profile in model.mig_profiles for name, figure in profile.figures
    ]
    for name, figure in (*own, *profiles):
        if figure.sources:
            keys_of.setdefault(name, {}).update(dict.fromkeys(figure.sources))
    return {name: tuple(keys) for name, keys in keys_of.items()}


def _cited(model: GpuModel) -> set[str]:
    return {key for keys in _sources(model).values() for key in keys}


def _notes(model: GpuModel) -> Iterator[str]:
    if model.min_driver is not None:
        yield f"min_driver: {model.min_driver}"
    for name, figure in model.figures:
        if figure.note:
            yield f"{name}: {figure.note}"
    if model.placement_order is not None:
        yield f"placement_order: {model.placement_order.source}"
        if model.placement_order.note:
            yield f"placement_order: {model.placement_order.note}"
    yield from model.quirks
    for profile in model.mig_profiles:
        if profile.notes:
            yield f"{profile.name}: {profile.notes}"
        for reading in profile.memory_other_readings:
            printed = f"{reading.gib:g} GiB" if reading.gib is not None else f"{reading.mib} MiB"
            yield f"{profile.name}: {reading.source} prints {printed}"
