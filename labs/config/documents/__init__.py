"""The documents of a file: what each is, where it stands, and what its loader answers; `wrapped` is entered as a module."""

from labs.config.documents import checked
from labs.config.documents.by_keys import normal
from labs.config.documents.checked import EXPLICIT_KINDS, Checked, check, entries
from labs.config.documents.kinds import LOADED_KINDS
from labs.config.documents.label_places import SELECTING, LabelPlace, label_places
from labs.config.documents.plugin_configs import NoPluginConfigError, keyed, plugin_configs
from labs.config.documents.pod_places import CONTAINER_LISTS, PodPlace, pod_places
from labs.config.documents.recognise import LABEL_KINDS, WORKLOAD_KINDS, WRAPPER_KINDS, Kind, guess, recognise
from labs.config.documents.stream import Document
from labs.config.documents.unread import GLANCED_ENDINGS, PROGRAM_ENDINGS, Reason, Unread

__all__ = [
    "CONTAINER_LISTS",
    "EXPLICIT_KINDS",
    "GLANCED_ENDINGS",
    "LABEL_KINDS",
    "LOADED_KINDS",
    "PROGRAM_ENDINGS",
    "SELECTING",
    "WORKLOAD_KINDS",
    "WRAPPER_KINDS",
    "Checked",
    "Document",
    "Kind",
    "LabelPlace",
    "NoPluginConfigError",
    "PodPlace",
    "Reason",
    "Unread",
    "check",
    "checked",
    "entries",
    "guess",
    "keyed",
    "label_places",
    "normal",
    "plugin_configs",
    "pod_places",
    "recognise",
]
