"""The documents of a file: what each is, where it stands, and what its loader answers; `wrapped` is entered as a module."""

from labs.config.documents import checked
from labs.config.documents.by_keys import normal
from labs.config.documents.checked import EXPLICIT_KINDS, Checked, check, entries
from labs.config.documents.kinds import LOADED_KINDS
from labs.config.documents.plugin_configs import NoPluginConfigError, keyed, plugin_configs
from labs.config.documents.recognise import WORKLOAD_KINDS, WRAPPER_KINDS, Kind, guess, recognise
from labs.config.documents.stream import Document
from labs.config.documents.unread import GLANCED_ENDINGS, PROGRAM_ENDINGS, Reason, Unread

__all__ = [
    "EXPLICIT_KINDS",
    "GLANCED_ENDINGS",
    "LOADED_KINDS",
    "PROGRAM_ENDINGS",
    "WORKLOAD_KINDS",
    "WRAPPER_KINDS",
    "Checked",
    "Document",
    "Kind",
    "NoPluginConfigError",
    "Reason",
    "Unread",
    "check",
    "checked",
    "entries",
    "guess",
    "keyed",
    "normal",
    "plugin_configs",
    "recognise",
]
