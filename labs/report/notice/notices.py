"""Notices for configs one after another, as the command and the lab tell them: what each changes, or why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from labs.cluster.announcement import Announcement, NothingOfferedError, announce, without_sharing
from labs.cluster.gpu import PhysicalGpu
from labs.config.documents import Checked
from labs.config.plugin import Loaded
from labs.report.notice.words import Circumstances, nothing_text, notice
from labs.report.writing import Messages


@dataclass(frozen=True, slots=True)
class ConfigNotice:
    """The notice for one config, or why there is none, by its `key` in its ConfigMap.

    `announcement` is what changes; where it is None nothing is announced, and `error` says why as the program does,
    `words` as a sentence. `notes` are said beside the notice.
    """

    key: str | None
    announcement: Announcement | None = None
    error: str = ""
    words: str = ""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def notice_of(
    config: Checked,
    previous: Loaded | None,
    gpus: Sequence[PhysicalGpu] | None,
    messages: Messages,
) -> ConfigNotice:
    """What `config` changes on a node with these cards. It holds a config of the plugin.

    `previous` is what held until now; None: the same without sharing.
    """
    loaded, key = config.plugin, config.document.key
    assert loaded is not None  # what `plugin_configs` finds
    if loaded.error is not None:
        return _refused(key, loaded.error, messages.text("cli.advertise.error", error=loaded.error))
    was = without_sharing(loaded) if previous is None else previous
    if was.error is not None:
        return _refused(key, was.error, messages.text("announce.note.before", error=was.error))
    try:
        announcement = announce(was, loaded, gpus)
    except NothingOfferedError as error:
        return _refused(key, str(error), nothing_text(error, messages))
    notes = [messages.text("cli.advertise.warning", warning=warning) for warning in loaded.warnings]
    if announcement.unmatched:
        names = messages.join(list(announcement.unmatched))
        notes.insert(0, messages.text("announce.note.unmatched", resources=names))
    return ConfigNotice(key, announcement, notes=tuple(notes), warnings=tuple(loaded.warnings))


def _refused(key: str | None, error: str, words: str) -> ConfigNotice:
    """Of several configs it has to be said which."""
    return ConfigNotice(key, None, error, words if key is None else f"{key}: {words}")


def notices_text(
    notices: Iterable[ConfigNotice], start: str | None, contact: str | None, messages: Messages
) -> str:
    """The notices as Markdown, one below the other; why there is none stands in its place."""
    return "\n---\n\n".join(
        f"{config.words}\n"
        if config.announcement is None
        else notice(config.announcement, Circumstances(start, contact, config.key), messages).markdown
        for config in notices
    )
