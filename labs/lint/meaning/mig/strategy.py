"""Under which MIG strategy the device plugin runs, where settings or files tell."""

from __future__ import annotations

from labs.config.gojson import GoError
from labs.config.plugin import given_values
from labs.lint.meaning import deployment, loaded_under
from labs.lint.subject import Subject

SINGLE, MIXED = "single", "mixed"


def mig_strategy(subject: Subject) -> str | None:
    """The strategy: of the command line or the environment, else the one that the given configs of the plugin agree on.

    None where nothing tells. A file that does not name a strategy tells nothing: it may not be the only one.
    """
    how = deployment(subject)
    try:
        override = given_values(how.environment, subject.settings.args).get("mig-strategy")
    except GoError:
        return None
    if isinstance(override, str):
        return override
    written = [(document, config) for document, config in subject.plugins if config.flag("migStrategy")]
    loaded = [loaded_under(subject, document, how).setting for document, _ in written]
    strategies = {setting.mig_strategy for setting in loaded if setting is not None}
    return strategies.pop() if len(strategies) == 1 else None
