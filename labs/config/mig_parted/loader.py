"""Does mig-parted load this config, and which MIG devices does it then want on which cards?

`load` follows `nvidia-mig-parted` v0.15.0 (what `assert --valid-config` parses): YAML to JSON to structs. Errors are
the program's own text. Source: NVIDIA/mig-parted, `api/spec/v1` and `cmd/nvidia-mig-parted/assert`; sigs.k8s.io/yaml;
encoding/json of Go 1.26.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labs.config.gojson import GoError, Json, Mistake, Path, read_json
from labs.config.goyaml import DEFAULT_LIMITS, LimitError, Limits, Node
from labs.config.mig_parted.fields import (
    AnyOfError,
    MigEntry,
    MigSpec,
    decode_spec,
    effective_spec,
)
from labs.config.mig_parted.filter import DeviceId
from labs.config.plugin import Stage

_PREFIX = "error parsing config file: unmarshal error: "
_TO_JSON_PREFIX = _PREFIX + "error converting YAML to JSON: "
_DECODE_PREFIX = _PREFIX + "error unmarshaling JSON: while decoding JSON: "
_SELECT_PREFIX = "error selecting MIG config: "


@dataclass(frozen=True, slots=True)
class MigParted:
    """mig-parted's answer to a config.

    `error` is its text; where the real text varies from run to run, `possible_errors` holds all it may be, `error` the
    first of them; `mistakes` are what they are about. `effective` (the spec as JSON) and `spec` are None where the config
    does not load. `limit` is set instead of a verdict where the text is beyond our own limits.
    """

    loads: bool
    stage: Stage | None = None
    error: str | None = None
    effective: dict[str, Json] | None = None
    spec: MigSpec | None = None
    possible_errors: tuple[str, ...] = ()
    limit: str | None = None
    mistakes: tuple[Mistake, ...] = ()


def load(text: str | bytes, *, limits: Limits = DEFAULT_LIMITS, root: Node | None = None) -> MigParted:
    """mig-parted's answer to this file; raises nothing. `root` is its first document's, where it was read already.

    A file beyond `limits` gets `loads=False` with `limit` set: the real loader was not imitated that far.
    """
    try:
        document = read_json(text, limits, _no_text_field, root)
    except GoError as error:
        return _refused(_TO_JSON_PREFIX, error)
    except LimitError as error:
        return MigParted(False, Stage.LOAD, error.message, limit=error.message)
    try:
        spec = decode_spec(document)
    except GoError as error:
        return _refused(_DECODE_PREFIX, error)
    return MigParted(True, effective=effective_spec(spec), spec=spec)


def _refused(prefix: str, error: GoError) -> MigParted:
    mistakes = error.mistakes if isinstance(error, AnyOfError) else (error.mistake,)
    possible = tuple(dict.fromkeys(prefix + mistake.text for mistake in mistakes))
    return MigParted(False, Stage.LOAD, possible[0], possible_errors=possible, mistakes=mistakes)


def _no_text_field(path: Path) -> bool:
    """The YAML library sees no string fields in structs that decode themselves, so it turns no number into text."""
    return False


def selection_error(spec: MigSpec, name: str) -> str | None:
    """What mig-parted says when this config is to be applied by name (`""`: by none); None where it finds it."""
    if name == "" and len(spec.configs) > 1:
        return f"{_SELECT_PREFIX}missing required flag 'selected-config' when more than one config available"
    if name in spec.configs or (name == "" and spec.configs):
        return None
    return f"{_SELECT_PREFIX}selected mig-config not present: {name}"


def not_covered(entries: Sequence[MigEntry], cards: Sequence[DeviceId]) -> tuple[int, ...]:
    """The indexes of a node's cards that no entry of a config is for: with one such, `assert` never succeeds."""
    return tuple(
        index for index, card in enumerate(cards) if not any(entry.matches(index, card) for entry in entries)
    )
