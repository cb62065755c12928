"""The lab *write the notice*: the config that is about to hold as a form field, the notice to users as the answer."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.documents import Checked, NoPluginConfigError, keyed, plugin_configs
from labs.config.goyaml import LimitError
from labs.config.plugin import Deployer, Loaded
from labs.report.cards import node_words
from labs.report.notice import Circumstances, ConfigNotice, gist, notice, notice_of, notices_text
from labs.report.writing import Html, Messages, Notice, escape, html, join, marked
from labs.teaching.form_lab.fields import Choice, Entry, Lines, Measure
from labs.teaching.form_lab.lab import FaultsError, FormAnswer, FormLab, Metric, Taken, Verdict
from labs.teaching.form_lab.values import ValueFault, Values
from labs.teaching.lab import Data

ID = "announce"
NO_NODE = "none"
MOST_WORDS = 1_000  # characters of a refusal that a page shows
MOST_CONFIGS = 8  # of a ConfigMap; each has a notice of its own
SLICED = """version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 5
"""
MPS = SLICED.replace("timeSlicing", "mps")
RENAMED = SLICED.replace("    failRequests", "    renameByDefault: true\n    failRequests")
MIXED = """version: v1
flags:
  migStrategy: mixed
"""
PRESETS: Mapping[str, Mapping[str, str]] = {
    "sliced": {},
    "more": {"before": SLICED, "config": SLICED.replace("replicas: 5", "replicas: 8")},
    "mps": {"before": SLICED, "config": MPS, "node": "t4-x1"},
    "renamed": {"config": RENAMED},
    "mig": {"before": "version: v1\n", "config": MIXED, "node": "a100-40gb-mig-mixed"},
    "ends": {"before": SLICED, "config": "version: v1\n"},
}
AS_PAGE = "page"
LANGUAGE_NAMES = {"en": "English", "ja": "日本語", "ko": "한국어"}


def announce_lab(data: Data) -> FormLab:
    """The lab in the languages of a library."""
    lab = _AnnounceLab(data)
    return FormLab(
        id=ID,
        section="articles/gpu-sharing#what-you-promised",
        fields=(
            Lines("config", SLICED, 8),
            Choice("node", (NO_NODE, *SAMPLE_NODES), "a100-40gb-x4"),
            Choice("language", (AS_PAGE, *data.messages), AS_PAGE),
            Entry("start", Measure.NAME, "", optional=True),
            Entry("contact", Measure.NAME, "", optional=True),
            Lines("before", "", 5, further=True),
            Choice("deployer", tuple(map(str, Deployer)), str(Deployer.HELM), further=True),
        ),
        regions=("notice",),
        answer=lab.answer,
        text=lab.text,
        presets=PRESETS,
        metrics=lab.metrics,
        verdict=lab.verdict,
        name=lab.name,
    )


class _AnnounceLab:
    def __init__(self, data: Data) -> None:
        self._data = data

    def name(self, field: str, value: str, messages: Messages) -> str:
        """How a node or a deployer is called."""
        if field == "node" and value != NO_NODE:
            return node_words(SAMPLE_NODES[value], messages)
        if field == "language":
            return LANGUAGE_NAMES.get(value, "")
        return messages.text(f"check-lab.deployers.{value}") if field == "deployer" else ""

    def answer(self, values: Values, messages: Messages) -> FormAnswer:
        """The notice in the language that is chosen, to read and to copy."""
        chosen = self._chosen(values, messages)
        language, results = chosen.language, self._results(values, messages)
        notices = list(_notices(results, values, chosen))
        articles = join(
            html('<article class="gl-notice" lang="{}">{}</article>', escape(language), notice_words.html)
            for notice_words in notices
        )
        files: tuple[Taken, ...] = ()
        if notices:
            heading, text = (
                messages.text("announce-lab.file"),
                "\n---\n\n".join(notice_words.markdown for notice_words in notices),
            )
            files = (Taken("notice", heading, text, f"notice.{language}.md", lang=language),)
        return FormAnswer(
            join(_summary(results, messages)), {"notice": articles}, files, _command(values, language)
        )

    def text(self, values: Values, messages: Messages) -> str:
        """The same for a terminal."""
        results = self._results(values, messages)
        return notices_text(results, *_said(values), self._chosen(values, messages))

    def verdict(self, values: Values, messages: Messages) -> Verdict:
        """Bad news where nothing is announced of a config, as it is for the command."""
        results = self._results(values, messages)
        notes = dict.fromkeys(note for result in results for note in result.notes)
        return Verdict(any(result.announcement is None for result in results), tuple(notes))

    def metrics(self, values: Values, messages: Messages) -> Mapping[str, Metric]:
        """How many notices there are."""
        count = sum(result.announcement is not None for result in self._results(values, messages))
        return {"notices": Metric(count, messages.number(count))}

    def _chosen(self, values: Values, messages: Messages) -> Messages:
        """The sentences of the language that is chosen."""
        return messages if values["language"] == AS_PAGE else self._data.messages[values["language"]]

    def _results(self, values: Values, messages: Messages) -> tuple[ConfigNotice, ...]:
        """What is told of each config. Raises FaultsError."""
        after = _configs(values, "config")
        before = _configs(values, "before") if values["before"].strip() else None
        gpus = None if values["node"] == NO_NODE else SAMPLE_NODES[values["node"]]
        return tuple(
            notice_of(config, _previous(before, config.document.key), gpus, messages) for config in after
        )


def _said(values: Values) -> tuple[str | None, str | None]:
    """From when, and whom to ask, as the reader wrote it."""
    return values["start"].strip() or None, values["contact"].strip() or None


def _notices(results: Sequence[ConfigNotice], values: Values, messages: Messages) -> Iterator[Notice]:
    start, contact = _said(values)
    for result in results:
        if result.announcement is not None:
            yield notice(result.announcement, Circumstances(start, contact, result.key), messages)


def _summary(results: Sequence[ConfigNotice], messages: Messages) -> Iterator[Html]:
    """What the first of the notices comes to, how many there are, of what there is none, and what they leave out."""
    changes = [result.announcement for result in results if result.announcement is not None]
    if changes:
        request, *lines = gist(changes[0], messages)
        if len(changes) > 1:
            lines.append(messages.count("announce-lab.more", len(changes) - 1))
        yield html("<p><strong>{}</strong></p>", marked(request))
        yield from (html("<p>{}</p>", marked(line)) for line in lines)
    yield from (
        html("<p><strong>{}</strong></p>", escape(_cut(result.words)))
        for result in results
        if result.announcement is None
    )
    notes = dict.fromkeys(note for result in results for note in result.notes)
    yield from (html("<p>{}</p>", escape(_cut(note))) for note in notes)


def _configs(values: Values, field: str) -> tuple[Checked, ...]:
    """Raises FaultsError."""
    try:
        configs = plugin_configs(values[field], deployer=Deployer(values["deployer"]))
    except LimitError:
        raise FaultsError(ValueFault(field, "config-limit")) from None
    except NoPluginConfigError as error:
        raise FaultsError(ValueFault(field, "no-plugin-config", {"kinds": ", ".join(error.kinds)})) from None
    if len(configs) > MOST_CONFIGS:
        raise FaultsError(ValueFault(field, "many-configs", {"most": str(MOST_CONFIGS)}))
    return configs


def _previous(before: tuple[Checked, ...] | None, key: str | None) -> Loaded | None:
    """What held until now for the nodes of a config. Raises FaultsError."""
    if before is None:
        return None
    previous = keyed(before, key)
    if previous is None or previous.plugin is None:
        known = ", ".join(each.document.key or "–" for each in before)
        raise FaultsError(ValueFault("before", "before-key", {"key": key or "–", "known": known}))
    return previous.plugin


def _cut(words: str) -> str:
    """Of words that quote a long text the beginning, for a page."""
    return words if len(words) <= MOST_WORDS else f"{words[:MOST_WORDS]}…"


def _command(values: Values, language: str) -> str:
    """The command that says the same in a terminal."""
    parts = ["gpulab", "announce", "config.yaml", "--lang", language, "--deployer", values["deployer"]]
    if values["before"].strip():
        parts += ["--before", "before.yaml"]
    if values["node"] != NO_NODE:
        parts += ["--node", values["node"]]
    for option, field in (("--from", "start"), ("--contact", "contact")):
        if values[field].strip():
            parts += [option, values[field].strip()]
    return shlex.join(parts)
