"""The documents of a file: what each is, where it stands, and what its loader answers."""

from labs.config.documents import checked
from labs.config.documents.by_keys import normal
from labs.config.documents.checked import EXPLICIT_KINDS, Checked, check, entries
from labs.config.documents.kinds import LOADED_KINDS
from labs.config.documents.plugin_configs import NoPluginConfigError, keyed, plugin_configs
from labs.config.documents.recognise import WORKLOAD_KINDS, Kind, guess, recognise
from labs.config.documents.stream import Document

__all__ = [
    "EXPLICIT_KINDS",
    "LOADED_KINDS",
    "WORKLOAD_KINDS",
    "Checked",
    "Document",
    "Kind",
    "NoPluginConfigError",
    "check",
    "checked",
    "entries",
    "guess",
    "keyed",
    "normal",
    "plugin_configs",
    "recognise",
]
