"""Reads a lab file (the package's or one of somebody's own) into a `Lab`, or says all that is wrong."""

from __future__ import annotations

from labs.config.goyaml import Mapping, Node, Scalar, ScalarKind
from labs.config.own import Fields, Problem, Problems, ProblemsError, Values, nearest, quoted, read_document
from labs.report.result import Picture
from labs.teaching.scenario_lab.lab import Control, ControlKind, Lab, Preset

FORMAT = 1
MAX_CONTROLS, MAX_PRESETS, MAX_OPTIONS, MAX_PATH = 24, 24, 64, 24
LAB = ("format", "id", "scenario", "picture", "controls", "presets")


def read_lab(text: str) -> Lab:
    """The lab in `text`. Raises ProblemsError."""
    root = read_document(text)
    if root is None:
        raise ProblemsError((Problem("missing-key", 1, 1, {"key": "format"}),))
    return _LabReader().read(root)


class ControlReader:
    """Reads the controls of a lab file, of whatever kind of lab."""

    def __init__(self, values: Values) -> None:
        self._problems, self._values = values.problems, values

    def read(self, node: Node | None) -> tuple[Control, ...]:
        """The controls that can be read; each problem with another is noted."""
        items = self._values.items(node, "controls", MAX_CONTROLS) if node is not None else ()
        return tuple(control for item in items if (control := self._control(item)) is not None)

    def _control(self, item: Node) -> Control | None:
        fields, values = Fields(item, self._problems, where="controls"), self._values
        control_id = values.text(fields.required("id"), "id")
        kind = values.one_of(fields.required("kind"), "kind", tuple(ControlKind))
        path = values.items(fields.required("path"), "path", MAX_PATH)
        numbers = {
            key: values.integer(node, key, -1_000_000, 1_000_000)
            for key in ("minimum", "maximum", "step", "offset")
            if (node := fields.optional(key)) is not None
        }
        unit = values.text(fields.optional("unit"), "unit")
        options = values.items(fields.optional("options"), "options", MAX_OPTIONS)
        further = values.one_of(fields.optional("further"), "further", ("true", "false"))
        fields.finish()
        if control_id is None or kind is None or not path or None in numbers.values():
            return None
        return Control(
            id=control_id,
            kind=ControlKind(kind),
            path=tuple(_step(step) for step in path),
            unit=unit or "",
            options=tuple(quoted(option) for option in options),
            further=further == "true",
            **{key: number for key, number in numbers.items() if number is not None},
        )


class _LabReader:
    def __init__(self) -> None:
        self._problems = Problems()
        self._values = Values(self._problems)

    def read(self, root: Node) -> Lab:
        fields = Fields(root, self._problems, where="lab")
        self._values.version(fields.required("format"), FORMAT)
        lab_id = self._values.text(fields.required("id"), "id")
        scenario = self._values.text(fields.required("scenario"), "scenario")
        picture = self._values.one_of(fields.optional("picture"), "picture", tuple(Picture))
        controls_node, presets_node = fields.optional("controls"), fields.optional("presets")
        controls = ControlReader(self._values).read(controls_node)
        presets = tuple(
            preset
            for item in (self._values.items(presets_node, "presets", MAX_PRESETS) if presets_node else ())
            if (preset := self._preset(item, {control.id for control in controls})) is not None
        )
        fields.finish(LAB)
        self._problems.raise_if_any()
        kind = Picture.CARDS if picture is None else Picture(picture)
        return Lab(lab_id or "", scenario or "", controls, presets, kind)

    def _preset(self, item: Node, controls: set[str]) -> Preset | None:
        fields = Fields(item, self._problems, where="presets")
        preset_id = self._values.text(fields.required("id"), "id")
        settings = fields.optional("values")
        expect = self._values.text(fields.optional("expect"), "expect")
        scenario = self._values.text(fields.optional("scenario"), "scenario")
        fields.finish()
        values = preset_values(settings, controls, self._problems)
        return None if preset_id is None else Preset(preset_id, values, expect, scenario)


def preset_values(node: Node | None, controls: set[str], problems: Problems) -> dict[str, int | str | bool]:
    """The values that a preset gives to controls; notes each that is no control."""
    values: dict[str, int | str | bool] = {}
    for entry in node.entries if isinstance(node, Mapping) else ():
        name = entry.name or ""
        if name not in controls:
            near, allowed = nearest(name, sorted(controls)), ", ".join(sorted(controls))
            code = "unknown-key-near" if near else "unknown-key"
            extra = {"near": near} if near else {}
            problems.add(code, entry.key, key=quoted(entry.key), allowed=allowed, **extra)
        elif isinstance(entry.value, Scalar) and isinstance(entry.value.value, bool | int | str):
            values[name] = entry.value.value
    return values


def _step(node: Node) -> str | int:
    """A step of a path: a whole number is a list index, everything else a key."""
    if isinstance(node, Scalar) and node.kind is ScalarKind.INT and isinstance(node.value, int):
        return node.value
    return node.text if isinstance(node, Scalar) else ""
