"""The lab *may they bring each other down?*: workloads and nodes as a form, node pools with their reasons as the answer."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from labs.cluster.pools import (
    EVERYTHING,
    MOST_GROUPS,
    MOST_NODE_KINDS,
    MOST_PODS,
    NOTHING,
    TRAITS,
    Division,
    Hit,
    Hits,
    NodeKind,
    Pool,
    WorkloadGroup,
    WorkloadKind,
    divide,
)
from labs.hardware.units import GIB
from labs.report.plan import (
    Slowdowns,
    against_lines,
    bar_text,
    config_map_text,
    free_lines,
    label_commands,
    mig_parted_texts,
    pods_text,
    pool_heading,
    pool_lines,
    pools_table,
    shortage_lines,
    summary_lines,
    unprotected_lines,
)
from labs.report.writing import (
    EMPTY,
    WIDTH,
    Html,
    Messages,
    attributes,
    escape,
    html,
    join,
    table_html,
    table_text,
    wrap,
)
from labs.simulation.evidence import job_with, pool_slowdowns
from labs.simulation.scenario import Job, JobKind
from labs.teaching.form_lab.fields import Choice, Entry, Group, Measure, Slider, When, default_of
from labs.teaching.form_lab.lab import FaultsError, FormAnswer, FormLab, Metric, Taken, Verdict
from labs.teaching.form_lab.values import ValueFault, Values, defaults, read_values
from labs.teaching.lab import Data

ID = "may-they"
SECTION = "articles/gpu-sharing#may-they-kill-each-other"
UNKNOWN, OWN = "unknown", "own"
AS_USUAL = "kind"
MOST_NODES, MOST_CARDS_EACH = 32, 8
KEPT = 16  # answers about the latest values
BEARS: Mapping[str, Hits] = {
    "everything": EVERYTHING,
    "slowness-memory": frozenset({Hit.SLOWNESS, Hit.MEMORY}),
    "slowness-faults": frozenset({Hit.SLOWNESS, Hit.FAULTS}),
    "slowness": frozenset({Hit.SLOWNESS}),
    "nothing": NOTHING,
}
MEASURED = When("load", (OWN,))
ARTICLE: tuple[Mapping[str, str], ...] = (
    {"name": "notebook", "kind": "notebook", "count": "10", "memory": "5GiB"},
    {"name": "demo", "kind": "demo", "count": "3", "memory": "4GiB"},
    {"name": "inference", "kind": "production", "count": "6", "memory": "8GiB"},
)


def _values(groups: Sequence[Mapping[str, str]], *nodes: Mapping[str, str]) -> Mapping[str, str]:
    """A preset of these items."""
    values = {"groups": str(len(groups)), "nodes": str(len(nodes))}
    for name, items in (("groups", groups), ("nodes", nodes)):
        values |= {
            f"{name}.{at}.{key}": value for at, item in enumerate(items) for key, value in item.items()
        }
    return values


PRESETS: Mapping[str, Mapping[str, str]] = {
    "article": {},
    "no-mig": _values(ARTICLE, {"model": "t4-16gb", "count": "6", "cards": "2"}),
    "servers": _values(
        (
            {
                "name": "small-models",
                "kind": "internal",
                "count": "12",
                "memory": "3GiB",
                "load": "yolos-small-a100-80gb",
            },
        ),
        {"model": "a100-80gb", "count": "2", "cards": "1"},
    ),
    "tenants": _values(
        (
            {"name": "tenant-a", "kind": "foreign", "count": "4", "memory": "6GiB"},
            {"name": "tenant-b", "kind": "foreign", "count": "4", "memory": "6GiB"},
            {"name": "notebook", "kind": "notebook", "count": "6", "memory": "5GiB"},
        ),
        {"model": "a100-40gb", "count": "2", "cards": "2"},
        {"model": "l4-24gb", "count": "4", "cards": "1"},
    ),
    "company": _values(
        (
            {"name": "notebook", "kind": "notebook", "count": "150", "memory": "5GiB"},
            {"name": "training", "kind": "experiment", "count": "24", "memory": "18GiB"},
            {"name": "services", "kind": "internal", "count": "30", "memory": "4GiB"},
            {"name": "inference", "kind": "production", "count": "16", "memory": "8GiB"},
        ),
        {"model": "a100-40gb", "count": "3", "cards": "8"},
        {"model": "l4-24gb", "count": "9", "cards": "4"},
    ),
    "too-little": _values(ARTICLE, {"model": "a100-40gb", "count": "1", "cards": "1"}),
}


def may_they_lab(data: Data) -> FormLab:
    """The lab over a library's cards and named workloads."""
    cards = tuple(model.id for model in data.catalog.models if model.memory_mib.known)
    kinds = tuple(map(str, WorkloadKind))
    groups = Group(
        "groups",
        (
            Entry("name", Measure.NAME, "workload"),
            Choice("kind", kinds, str(WorkloadKind.NOTEBOOK)),
            Entry("count", Measure.COUNT, "2", Fraction(1), Fraction(MOST_PODS)),
            Choice("bears", (AS_USUAL, *BEARS), AS_USUAL),
            Entry("memory", Measure.MEMORY, "6GiB", Fraction(2**20), Fraction(1024 * GIB)),
            Choice("load", (UNKNOWN, OWN, *data.workloads()), UNKNOWN),
            Entry("residency", Measure.SHARE, "86%", Fraction(1, 1000), Fraction(1), when=MEASURED),
            Entry("demand", Measure.SHARE, "44%", Fraction(1, 1000), Fraction(1), when=MEASURED),
        ),
        MOST_GROUPS,
        1,
        ARTICLE,
    )
    nodes = Group(
        "nodes",
        (
            Choice("model", cards, "a100-40gb"),
            Entry("count", Measure.COUNT, "3", Fraction(1), Fraction(MOST_NODES)),
            Slider("cards", 1, MOST_CARDS_EACH, 2),
        ),
        MOST_NODE_KINDS,
        1,
    )
    lab = _MayThey(data, (groups, nodes))
    return FormLab(
        id=ID,
        section=SECTION,
        fields=lab.fields,
        regions=("pools", "rest", "table"),
        folded=("table",),
        answer=lab.answer,
        text=lab.text,
        presets=PRESETS,
        metrics=lab.metrics,
        verdict=lab.verdict,
        name=lab.name,
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the form says."""

    groups: tuple[WorkloadGroup, ...]
    nodes: tuple[tuple[str, int, int], ...]  # card, nodes, cards in each
    jobs: tuple[tuple[str, Job], ...]  # by the name of a group


class _MayThey:
    def __init__(self, data: Data, fields: tuple[Group, ...]) -> None:
        self.fields = fields
        self._data = data
        self._divided = functools.lru_cache(maxsize=KEPT)(self._divide)

    def name(self, field: str, value: str, messages: Messages) -> str:
        """How a card is called, and a kind of workload, which says what it bears."""
        if field == "groups.kind":
            bears = next(name for name, hits in BEARS.items() if hits == TRAITS[WorkloadKind(value)].bears)
            kind = messages.text(f"form-lab.{ID}.option.{field}.{value}")
            return messages.text("may-they.kind", kind=kind, bears=messages.text(f"may-they.bears.{bears}"))
        return self._data.names.get(value, "") if field == "nodes.model" else ""

    def _asked(self, values: Values) -> _Asked:
        """Raises FaultsError."""
        names: dict[str, int] = {}
        jobs: list[tuple[str, Job]] = []
        groups: list[WorkloadGroup] = []
        for place, row in enumerate(values.rows("groups")):
            name = row["name"].strip()
            if name in names:
                raise FaultsError(ValueFault(f"groups.{place}.name", "same-name", {"value": name}))
            names[name] = place
            groups.append(_group(name, row))
            job = self._job(row, f"groups.{place}.")
            if job is not None:
                jobs.append((name, job))
        nodes = tuple((row["model"], row.whole("count"), row.whole("cards")) for row in values.rows("nodes"))
        return _Asked(tuple(groups), nodes, tuple(jobs))

    def _job(self, row: Values, item: str) -> Job | None:
        """What is known of a group's work."""
        if row["load"] == UNKNOWN:
            return None
        if row["load"] != OWN:
            named = self._data.workloads()[row["load"]].job
            return job_with(named.kind, named.residency, named.demand)
        residency, demand = row.amount("residency") or Fraction(1), row.amount("demand") or Fraction(1)
        if demand > residency:
            most = {"most": f"{float(residency):g}"}
            raise FaultsError(ValueFault(f"{item}demand", "demand-over-residency", most))
        return job_with(JobKind.SERVICE, float(residency), float(demand))

    def _division(self, values: Values) -> tuple[Division, tuple[Slowdowns, ...]]:
        """The pools, and for each how slow its groups get. Raises FaultsError."""
        return self._divided(self._asked(values))

    def _divide(self, asked: _Asked) -> tuple[Division, tuple[Slowdowns, ...]]:
        catalog = self._data.catalog
        division = divide(
            asked.groups, [NodeKind(catalog.get(model), *counts) for model, *counts in asked.nodes]
        )
        return division, tuple(pool_slowdowns(pool, dict(asked.jobs), catalog) for pool in division.pools)

    def answer(self, values: Values, messages: Messages) -> FormAnswer:
        """The pools, and what speaks for and against them."""
        division, slow = self._division(values)
        first, *rest = summary_lines(division, messages)
        gap = escape(messages.text("list.sentences"))
        more = join(html("{}{}", gap, escape(line)) for line in rest)
        summary = html("<p><strong>{}</strong>{}</p>", escape(first), more)
        pools = join(
            _pool_html(place, pool, slow[place], messages) for place, pool in enumerate(division.pools)
        )
        parts = list(_rest(division, messages))
        return FormAnswer(
            summary=summary,
            regions={
                "pools": html('<ol class="gl-pools">{}</ol>', pools) if pools else EMPTY,
                "rest": join(_list_html(heading, lines) for heading, lines in parts),
                "table": table_html(pools_table(division, slow, messages)) if division.pools else EMPTY,
            },
            files=tuple(_files(division.pools, messages)),
            command=_command(self.fields, values),
        )

    def text(self, values: Values, messages: Messages) -> str:
        """The same for a terminal."""
        division, slow = self._division(values)
        parts = [list(summary_lines(division, messages))]
        for place, pool in enumerate(division.pools):
            lines = [pool_heading(place, pool, messages), *pool_lines(pool, slow[place], messages)]
            for heading, more in _more(pool, messages):
                lines += [f"— {heading}", *more]
            parts.append(lines)
        parts += [[f"— {heading}", *lines] for heading, lines in _rest(division, messages)]
        wrapped = ["\n".join(line for row in lines for line in wrap(row, WIDTH)) for lines in parts]
        if division.pools:
            wrapped.append(table_text(pools_table(division, slow, messages)))
        wrapped += [f"# {file.heading}\n{file.text.rstrip()}" for file in _files(division.pools, messages)]
        section = messages.text(f"form-lab.{ID}.section")
        wrapped.append(f"{messages.text('form.section', section=section)}\n{SECTION}")
        return "\n\n".join(wrapped) + "\n"

    def verdict(self, values: Values, messages: Messages) -> Verdict:
        """Bad news where nodes are wanting, as it is for `gpulab mig plan`."""
        del messages
        return Verdict(bool(self._division(values)[0].unserved))

    def metrics(self, values: Values, messages: Messages) -> Mapping[str, Metric]:
        """How many pools and nodes, pairs to be kept apart, groups of which Pods are left and how many, groups in parts."""
        division, _ = self._division(values)
        counts = {
            "pools": len(division.pools),
            "nodes": sum(pool.room.nodes for pool in division.pools),
            "apart": len(division.apart),
            "unserved": len(division.unserved),
            "unservedPods": sum(shortage.group.count for shortage in division.unserved),
            "divided": len(division.divided),
        }
        return {name: Metric(count, messages.number(count)) for name, count in counts.items()}


def _group(name: str, row: Values) -> WorkloadGroup:
    kind = WorkloadKind(row["kind"])
    traits = TRAITS[kind]
    bears = BEARS.get(row["bears"])
    return WorkloadGroup(
        name,
        kind,
        row.whole("count"),
        int(row.amount("memory") or 0),
        traits.bears if bears is None else bears,
        traits.bears_own if bears is None else bears,
    )


def _pool_html(place: int, pool: Pool, slow: Slowdowns, messages: Messages) -> Html:
    """A pool: what it is and why, and folded what speaks against other ways and what stays unprotected."""
    lines = join(html("<li>{}</li>", escape(line)) for line in pool_lines(pool, slow, messages))
    more = join(
        html(
            '<details class="gl-more"><summary>{}</summary><ul>{}</ul></details>',
            escape(heading),
            join(html("<li>{}</li>", escape(line)) for line in sentences),
        )
        for heading, sentences in _more(pool, messages)
    )
    heading = escape(pool_heading(place, pool, messages))
    return html(
        '<li{}><p class="gl-head">{}</p><ul>{}</ul>{}</li>',
        attributes(class_=f"gl-pool gl-pool-{pool.way}"),
        heading,
        lines,
        more,
    )


def _more(pool: Pool, messages: Messages) -> Iterator[tuple[str, list[str]]]:
    """Headings and lines about what a pool is not."""
    yield messages.text("may-they.heading.against"), list(against_lines(pool, messages))
    yield messages.text("may-they.heading.unprotected"), list(unprotected_lines(pool.way, messages))


def _rest(division: Division, messages: Messages) -> Iterator[tuple[str, list[str]]]:
    """Headings and lines about all pools together."""
    lines = {
        "unserved": shortage_lines(division.unserved, messages),
        "divided": shortage_lines(division.divided, messages),
        "apart": (bar_text(bar, messages) for bar in division.apart),
        "free": free_lines(division, messages),
        "searched": () if division.exact else (messages.text("may-they.cut-short"),),
    }
    for name, sentences in lines.items():
        if items := list(sentences):
            yield messages.text(f"may-they.heading.{name}"), items


def _list_html(heading: str, lines: Sequence[str]) -> Html:
    items = join(html("<li>{}</li>", escape(line)) for line in lines)
    return html('<p class="gl-head">{}</p><ul>{}</ul>', escape(heading), items)


def _files(pools: Sequence[Pool], messages: Messages) -> Iterator[Taken]:
    """What to take along."""
    if not pools:
        return
    text = messages.text
    head = "# " + text("check-lab.file-head", command="gpulab check pools.yaml")
    yield Taken("plugin", text("may-they.command.plugin"), config_map_text(pools), "pools.yaml", head)
    mig = mig_parted_texts(pools)
    if mig:
        checked = "# " + text("check-lab.file-head", command="gpulab check mig-config.yaml")
        yield Taken("mig", text("may-they.command.mig"), mig, "mig-config.yaml", checked)
    yield Taken("labels", text("may-they.command.label"), label_commands(pools))
    yield Taken("pods", text("may-they.command.pods"), pods_text(pools))


def _command(fields: tuple[Group, ...], values: Values) -> str:
    """The command that says the same in a terminal: a preset, or what differs from the form as it is at first."""
    first = defaults(fields)
    for preset, preset_values in PRESETS.items():
        if read_values(fields, {**first, **preset_values})[0].texts == values.texts:
            return shlex.join(["gpulab", "lab", "run", ID, *(("--preset", preset) if preset_values else ())])
    plain = {f"{group.id}.{inner.id}": default_of(inner) for group in fields for inner in group.fields}
    changed = [
        f"{key}={value}"
        for key, value in values.items()
        if first.get(key, plain.get(re.sub(r"\.\d+\.", ".", key))) != value
    ]
    return shlex.join(["gpulab", "lab", "run", ID, *(part for each in changed for part in ("--set", each))])
