"""The fields of a form lab as HTML, and as what the script sets on them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labs.report.writing import EMPTY, Html, Messages, attributes, escape, html, join
from labs.teaching.form_lab.fields import Choice, Entry, Group, Lines, Measure, Plain, Slider, Switch
from labs.teaching.form_lab.lab import FormLab
from labs.teaching.form_lab.values import ValueFault, Values, bounds_of
from labs.teaching.lab import Option, choice_class, options_html


@dataclass(frozen=True, slots=True)
class FormWords:
    """A lab's words for its form."""

    lab: FormLab
    messages: Messages
    element: str

    def own(self, part: str, **values: str) -> str:
        """The lab's own words; "" where there are none."""
        key = f"form-lab.{self.lab.id}.{part}"
        return self.messages.text(key, **values) if self.messages.has(key) else ""

    def option(self, field_id: str, value: str) -> str:
        """How a choice's option is called."""
        name = "" if self.lab.name is None else self.lab.name(field_id, value, self.messages)
        return name or self.own(f"option.{field_id}.{value}") or value

    def output(self, field_id: str, text: str) -> str:
        """A slider's number."""
        return self.own(f"output.{field_id}", n=text) or text

    def hint(self, field: Plain, path: str) -> str:
        """What helps to fill a field: the lab's own words, and the range that it has."""
        own, bounds = self.own(f"hint.{path}"), {}
        if isinstance(field, Slider):
            bounds = {
                "least": self.output(path, str(field.minimum)),
                "most": self.output(path, str(field.maximum)),
            }
        elif isinstance(field, Entry):
            bounds = bounds_of(field)
        if not bounds:
            return own
        allowed = self.messages.text("form.range", **bounds)
        return self.messages.text("form.hint", hint=own, range=allowed) if own else allowed

    def fault(self, fault: ValueFault) -> Html:
        """What is wrong with a field and what to do, as HTML."""
        what, remedy = fault_words(fault, self.messages)
        return html('<strong>{}</strong> <span class="gl-remedy">{}</span>', escape(what), escape(remedy))


def fault_words(fault: ValueFault, messages: Messages) -> tuple[str, str]:
    """What is wrong, and what to do: with the range of the field where it has one."""
    remedy = messages.pick(f"form.problem.{fault.key}.remedy", fault.values)
    if "least" in fault.values and "least" not in messages.placeholders(f"form.problem.{fault.key}.remedy"):
        allowed = messages.pick("form.allowed", fault.values)
        remedy = messages.text("list.sentences").join((remedy, allowed))
    return messages.pick(f"form.problem.{fault.key}.what", fault.values), remedy


def fields_html(lab: FormLab, values: Values, faults: Sequence[ValueFault], words: FormWords) -> Html:
    """All fields as they are set."""
    sentences = {fault.field: words.fault(fault) for fault in faults}
    fields = _Fields(lab, values, sentences, words)
    first = [fields.html(field) for field in lab.fields if not field.further and not isinstance(field, Group)]
    groups = [fields.group(field) for field in lab.fields if isinstance(field, Group)]
    further = [fields.html(field) for field in lab.fields if field.further and not isinstance(field, Group)]
    parts = [
        html(
            '<fieldset class="gl-controls"><legend class="gl-unseen">{}</legend>{}</fieldset>',
            escape(words.messages.text("lab.controls")),
            join(first),
        )
    ]
    parts += groups
    if further:
        summary = words.own("further") or words.messages.text("lab.further")
        is_open = any(field.further and field.id in sentences for field in lab.fields)
        parts.append(
            html(
                '<details{}><summary>{}</summary><div class="gl-controls">{}</div></details>',
                attributes(class_="gl-further", open=is_open),
                escape(summary),
                join(further),
            )
        )
    return join(parts)


@dataclass(frozen=True, slots=True)
class _Fields:
    """Writes fields; `faults` are HTML by the field's key."""

    lab: FormLab
    values: Values
    faults: Mapping[str, Html]
    words: FormWords

    def html(self, field_spec: Plain | Group, item: str = "", path: str = "") -> Html:
        """A field of the item whose keys begin with `item`; its words have `path` before its id."""
        if isinstance(field_spec, Group):
            return self.group(field_spec)
        key, words = item + field_spec.id, self.words
        field_id = f"{words.element}-{key}"
        fault = self.faults.get(key, EMPTY)
        hint = words.hint(field_spec, f"{path}{field_spec.id}")
        about = [f"{field_id}-hint"] if hint else []
        shared: dict[str, str | bool | None] = {
            "id": field_id,
            "data_field": key,
            "aria_describedby": " ".join([*about, f"{field_id}-problem"]),
            "aria_invalid": "true" if fault else None,
            "autocomplete": "off",
        }
        element, output = self._element(field_spec, key, f"{path}{field_spec.id}", shared)
        output_html = html(
            "<output{}>{}</output>", attributes(for_=field_id, data_output=key), escape(output)
        )
        label = words.own(f"field.{path}{field_spec.id}") or field_spec.id
        field = f"gl-field gl-{type(field_spec).__name__.lower()}"
        if isinstance(field_spec, Choice):
            field = choice_class(self._options(field_spec, key, f"{path}{field_spec.id}"))
        hint_html = (
            html('<p class="gl-hint"{}>{}</p>', attributes(id=f"{field_id}-hint"), escape(hint))
            if hint
            else EMPTY
        )
        hidden = not self.values.shows(field_spec.when, item)
        return html(
            "<div{}>"
            "<label{}>{}</label>"
            '<span class="gl-input">{}{}</span>{}'
            '<p class="gl-problem"{}>{}</p></div>',
            attributes(class_=field, data_of=key, hidden=hidden),
            attributes(for_=field_id),
            escape(label),
            element,
            output_html,
            hint_html,
            attributes(id=f"{field_id}-problem", data_problem=key),
            fault,
        )

    def _options(self, choice: Choice, key: str, path: str) -> list[Option]:
        item = key.removesuffix(choice.id)
        known = choice.options if self.lab.options is None else self.lab.options(self.values, item, choice)
        return [(value, self.words.option(path, value)) for value in known or choice.options]

    def _element(
        self, field_spec: Plain, key: str, path: str, shared: Mapping[str, str | bool | None]
    ) -> tuple[Html, str]:
        """The form's own element, and what it says in words."""
        value, words = self.values[key], self.words
        match field_spec:
            case Choice():
                names = self._options(field_spec, key, path)
                select = html("<select{}>{}</select>", attributes(**shared), options_html(names, value))
                return select, dict(names)[value]
            case Slider():
                said = words.output(path, value)
                limits = attributes(
                    min=str(field_spec.minimum), max=str(field_spec.maximum), step="1", value=value
                )
                return html(
                    '<input type="range"{}{}>', attributes(**shared, aria_valuetext=said), limits
                ), said
            case Switch():
                ticked = attributes(**shared, checked=value == "true")
                return html('<input type="checkbox"{}>', ticked), words.messages.text(f"form.switch.{value}")
            case Lines():
                area = attributes(
                    **shared, rows=str(field_spec.rows), spellcheck="false", autocapitalize="off"
                )
                return html("<textarea{}>\n{}</textarea>", area, escape(value)), ""
            case Entry():
                keys = "numeric" if field_spec.measure is Measure.COUNT else None
                line = attributes(
                    **shared, value=value, inputmode=keys, spellcheck="false", autocapitalize="off"
                )
                return html('<input type="text"{}>', line), ""

    def group(self, group: Group) -> Html:
        """The items of a group, each in a frame of its own, and the button that adds one."""
        words, count = self.words, self.values.whole(group.id)
        items = join(self._item(group, place, count) for place in range(count))
        full = count >= group.most
        adds = attributes(
            type="button",
            id=f"{words.element}-{group.id}-add",
            data_change=json.dumps({"add": group.id}),
            aria_disabled="true" if full else None,
        )
        most = (
            html(
                ' <span class="gl-note">{}</span>', escape(words.messages.text("form.most", most=group.most))
            )
            if full
            else EMPTY
        )
        adding = words.own(f"add.{group.id}") or words.messages.text("form.add")
        return html(
            '<fieldset class="gl-items"><legend>{}</legend>'
            "<input{}>{}"
            "<p><button{}>{}</button>{}</p></fieldset>",
            escape(words.own(f"group.{group.id}") or group.id),
            attributes(type="hidden", data_field=group.id, value=str(count)),
            items,
            adds,
            escape(adding),
            most,
        )

    def _item(self, group: Group, place: int, count: int) -> Html:
        words = self.words
        item = f"{group.id}.{place}."
        heading = words.own(f"item.{group.id}", n=words.messages.number(place + 1)) or str(place + 1)
        inner = join(self.html(field, item, f"{group.id}.") for field in group.fields)
        removes = attributes(
            type="button",
            id=f"{words.element}-{group.id}.{place}-remove",
            data_change=json.dumps({"remove": f"{group.id}.{place}"}),
            aria_disabled="true" if count <= group.least else None,
        )
        about = html(
            '<span class="gl-unseen">{}</span>', escape(words.messages.text("form.of", what=heading))
        )
        return html(
            '<fieldset class="gl-item"><legend>{}</legend><div class="gl-controls">{}</div>'
            "<button{}>{}{}</button></fieldset>",
            escape(heading),
            inner,
            removes,
            escape(words.messages.text("form.remove")),
            about,
        )


def field_states(
    lab: FormLab, values: Values, faults: Sequence[ValueFault], words: FormWords
) -> dict[str, dict[str, object]]:
    """By field what the script sets on it: its value, its words, what is wrong, whether it is hidden, its options."""
    problems = {fault.field: words.fault(fault) for fault in faults}
    states: dict[str, dict[str, object]] = {}

    def tell(field_spec: Plain, item: str, path: str) -> None:
        key = item + field_spec.id
        state: dict[str, object] = {
            "value": values[key],
            "problem": problems.get(key, ""),
            "hidden": not values.shows(field_spec.when, item),
        }
        if isinstance(field_spec, Slider):
            state["output"] = words.output(path + field_spec.id, values[key])
        elif isinstance(field_spec, Switch):
            state["output"] = words.messages.text(f"form.switch.{values[key]}")
        elif isinstance(field_spec, Choice) and lab.options is not None:
            known = lab.options(values, item, field_spec)
            if known:
                names = [(each, words.option(path + field_spec.id, each)) for each in known]
                state["options"] = options_html(names, values[key])
        states[key] = state

    for field_spec in lab.fields:
        if not isinstance(field_spec, Group):
            tell(field_spec, "", "")
            continue
        for place in range(values.whole(field_spec.id)):
            for inner in field_spec.fields:
                tell(inner, f"{field_spec.id}.{place}.", f"{field_spec.id}.")
    return states
