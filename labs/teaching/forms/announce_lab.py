"""The lab *write the notice*: the config that is about to hold as a form field, the notice to users as the answer."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from labs.cluster.announcement import Announcement, NothingOfferedError, announce, without_sharing
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.checked import Checked
from labs.config.device_plugin import Loaded
from labs.config.plugin_configs import NoPluginConfigError, keyed, plugin_configs
from labs.config.plugin_flags import Deployer
from labs.config.yaml_tree import LimitError
from labs.report.announce_words import Circumstances, gist, nothing_text, notice
from labs.report.markup import escape
from labs.report.messages import Messages
from labs.report.node_words import node_words
from labs.report.notice import Notice, marked, plain
from labs.teaching.forms.fields import Choice, Entry, Lines, Measure
from labs.teaching.forms.form_lab import Data, FaultsError, FormAnswer, FormLab, Metric, Taken
from labs.teaching.forms.values import Fault, Values

ID = "announce"
NO_NODE = "none"
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
        name=lab.name,
    )


class _Refused(Exception):
    """There is nothing to announce: why, in words, and what the program itself says."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


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
        language, command = chosen.language, _command(values, chosen.language)
        try:
            found = self._notices(values, chosen)
        except _Refused as refusal:
            return FormAnswer(f"<p><strong>{escape(refusal.words)}</strong></p>", {"notice": ""}, (), command)
        request, *lines = self._gist(values, messages)
        if len(found) > 1:
            lines.append(messages.count("announce-lab.more", len(found) - 1))
        shown = "".join(
            f'<article class="gl-notice" lang="{language}">{each.html}</article>' for each in found
        )
        return FormAnswer(
            f"<p><strong>{marked(request)}</strong></p>"
            + "".join(f"<p>{marked(line)}</p>" for line in lines),
            {"notice": shown},
            (
                Taken(
                    "notice",
                    messages.text("announce-lab.file"),
                    _joined(found),
                    f"notice.{language}.md",
                    lang=language,
                ),
            ),
            command,
        )

    def text(self, values: Values, messages: Messages) -> str:
        """The same for a terminal."""
        try:
            return _joined(self._notices(values, self._chosen(values, messages)))
        except _Refused as refusal:
            return refusal.words + "\n"

    def metrics(self, values: Values, messages: Messages) -> Mapping[str, Metric]:
        """How many notices there are."""
        try:
            found = self._notices(values, messages)
        except _Refused:
            found = []
        return {"notices": Metric(len(found), messages.number(len(found)))}

    def _chosen(self, values: Values, messages: Messages) -> Messages:
        """The sentences of the language that is chosen."""
        return messages if values["language"] == AS_PAGE else self._data.messages[values["language"]]

    def _notices(self, values: Values, messages: Messages) -> list[Notice]:
        """A notice for each config. Raises FaultsError and _Refused."""
        start, contact = plain(values["start"]) or None, plain(values["contact"]) or None
        return [
            notice(found, Circumstances(start, contact, key), messages)
            for key, found in self._announced(values, messages)
        ]

    def _gist(self, values: Values, messages: Messages) -> tuple[str, ...]:
        """What the first of the notices comes to."""
        _, found = next(self._announced(values, messages))
        return gist(found, messages)

    def _announced(self, values: Values, messages: Messages) -> Iterator[tuple[str | None, Announcement]]:
        """What each config changes, with its key. Raises FaultsError and _Refused."""
        after = _configs(values, "config")
        before = _configs(values, "before") if values["before"].strip() else None
        for each in after:
            yield each.document.key, self._of_config(each, before, values, messages)

    def _of_config(
        self, config: Checked, before: tuple[Checked, ...] | None, values: Values, messages: Messages
    ) -> Announcement:
        loaded = config.plugin
        assert loaded is not None  # what `plugin_configs` finds
        if loaded.error is not None:
            raise _Refused(messages.text("cli.advertise.error", error=_cut(loaded.error)))
        previous = without_sharing(loaded) if before is None else _previous(before, config.document.key)
        if previous.error is not None:
            raise _Refused(messages.text("announce-lab.before", error=_cut(previous.error)))
        gpus = None if values["node"] == NO_NODE else SAMPLE_NODES[values["node"]]
        try:
            return announce(previous, loaded, gpus)
        except NothingOfferedError as error:
            raise _Refused(nothing_text(error, messages)) from None


def _configs(values: Values, field: str) -> tuple[Checked, ...]:
    """Raises FaultsError."""
    try:
        found = plugin_configs(values[field], deployer=Deployer(values["deployer"]))
    except LimitError:
        raise FaultsError(Fault(field, "config-limit")) from None
    except NoPluginConfigError as error:
        raise FaultsError(Fault(field, "no-plugin-config", {"kinds": ", ".join(error.kinds)})) from None
    if len(found) > MOST_CONFIGS:
        raise FaultsError(Fault(field, "many-configs", {"most": str(MOST_CONFIGS)}))
    return found


def _previous(before: tuple[Checked, ...], key: str | None) -> Loaded:
    """Raises FaultsError."""
    found = keyed(before, key)
    if found is None or found.plugin is None:
        known = ", ".join(each.document.key or "–" for each in before)
        raise FaultsError(Fault("before", "before-key", {"key": key or "–", "known": known}))
    return found.plugin


def _cut(error: str) -> str:
    return error if len(error) <= 1000 else f"{error[:1000]}…"


def _joined(found: list[Notice]) -> str:
    return "\n---\n\n".join(each.markdown for each in found)


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
