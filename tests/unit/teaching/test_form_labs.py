"""What is true of every form lab: its words, presets, links, HTML, and that nothing a page sends breaks an answer."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.browser import respond
from labs.library import LANGUAGES, builtin_library
from labs.teaching.form_lab.fields import Choice, Entry, Group, Lines, Measure, Plain, Slider, Switch
from labs.teaching.form_lab.kind import FormLabs
from labs.teaching.form_lab.lab import FormLab
from labs.teaching.form_lab.labs import FORM_LABS
from labs.teaching.form_lab.link import form_link, values_of_link
from labs.teaching.form_lab.values import amount_of, bounds_of, defaults
from labs.teaching.lab.links import LinkError
from labs.teaching.lab.options import choice_class
from tests.random_sample import examples
from tests.some import some

LIBRARY = builtin_library()
LABS = FormLabs(LIBRARY)
every_lab = pytest.mark.parametrize("lab", [LABS.lab(lab_id) for lab_id in FORM_LABS], ids=lambda lab: lab.id)
every_language = pytest.mark.parametrize("language", LANGUAGES)
VOID = {"input", "br", "wbr", "img"}


def ask(lab: FormLab, language: str = "en", **asked: Any) -> dict[str, Any]:
    """What the browser's Python answers."""
    request = {"kind": "form", "lab": lab.id, "lang": language, "values": {}, **asked}
    answer: dict[str, Any] = json.loads(respond(json.dumps(request)))
    return answer


class Balanced(HTMLParser):
    """Raises where an element is closed that is not the one open last."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.refers: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        assert "style" not in told
        self.ids += [value for name, value in attrs if name == "id" and value]
        for name in ("for", "aria-describedby", "aria-labelledby"):
            self.refers += (told.get(name) or "").split()
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@every_language
@every_lab
def test_it_is_a_whole_result_before_any_script(lab: FormLab, language: str) -> None:
    html = LABS.html(lab.id, None, LIBRARY.messages[language])
    page = Balanced(html)
    assert len(set(page.ids)) == len(page.ids)
    assert set(page.refers) <= set(page.ids)
    told = ask(lab, language)["regions"]
    for name in ("summary", "command", *lab.regions):
        assert re.search(rf'data-region="{name}"[^>]*>{re.escape(told[name])}<', html), name


@every_language
@every_lab
def test_every_preset_and_option_has_words_and_an_answer(lab: FormLab, language: str) -> None:
    messages = LIBRARY.messages[language]
    for preset in lab.presets:
        assert messages.has(f"form-lab.{lab.id}.preset.{preset}")
        told = ask(lab, language, changes=[{"preset": preset}])
        assert told["ok"] is True, preset
        assert {key: told["values"][key] for key in lab.presets[preset]} == lab.presets[preset]
        Balanced(told["form"])
        for html in told["regions"].values():
            Balanced(html)
        assert lab.text(LABS.values(lab, preset)[0], messages).strip()
    for part in ("title", "try"):
        assert messages.has(f"form-lab.{lab.id}.{part}")
    for one in lab.fields:
        inner = one.fields if isinstance(one, Group) else (one,)
        path = f"{one.id}." if isinstance(one, Group) else ""
        assert not isinstance(one, Group) or messages.has(f"form-lab.{lab.id}.group.{one.id}")
        for field in inner:
            assert messages.has(f"form-lab.{lab.id}.field.{path}{field.id}"), field.id


@every_lab
def test_no_two_fields_share_an_id(lab: FormLab) -> None:
    ids = list(defaults(lab.fields))
    assert len(set(ids)) == len(ids)
    assert set(lab.folded) <= set(lab.regions)


def texts(field: Plain) -> st.SearchStrategy[str]:
    """Texts of a field: such as it takes, and others."""
    match field:
        case Choice():
            return st.sampled_from([*field.options, "gone"])
        case Slider():
            return st.integers(field.minimum - 1, field.maximum + 1).map(str)
        case Switch():
            return st.sampled_from(["true", "false", ""])
        case Entry():
            return st.sampled_from([field.default, "", "5ms", "2/s", "6GiB", "44%", "x", "0", "9" * 120])
        case Lines():
            return st.text(max_size=40) | st.just(field.default)


def forms(lab: FormLab) -> st.SearchStrategy[dict[str, str]]:
    """Values of a form, good ones and others."""
    parts: dict[str, st.SearchStrategy[str]] = {}
    for one in lab.fields:
        if isinstance(one, Group):
            parts[one.id] = st.integers(0, one.most + 1).map(str)
            for place in range(2):
                parts |= {f"{one.id}.{place}.{inner.id}": texts(inner) for inner in one.fields}
        else:
            parts[one.id] = texts(one)
    return st.fixed_dictionaries({}, optional=parts)


@every_lab
@settings(max_examples=examples(25), deadline=None)
@given(data=st.data())
def test_whatever_the_fields_hold_there_is_an_answer_or_a_reason_at_a_field(
    lab: FormLab, data: st.DataObject
) -> None:
    values = data.draw(forms(lab))
    told = ask(lab, data.draw(st.sampled_from(LANGUAGES)), values=values)
    assert "error" not in told, told
    wrong = [key for key, state in told["fields"].items() if state["problem"]]
    assert bool(wrong) != told["ok"]
    assert bool(told["regions"]["stale"]) != told["ok"]
    for html in told["regions"].values():
        Balanced(html)


@every_lab
@settings(max_examples=examples(25), deadline=None)
@given(data=st.data())
def test_a_link_brings_back_what_it_was_made_of(lab: FormLab, data: st.DataObject) -> None:
    shown = ask(lab, values=data.draw(forms(lab)))["values"]
    link = ask(lab, values=shown, only=["link"])["link"]
    opened = ask(lab, changes=[{"link": link}])
    assert (opened["opened"], opened["values"]) == (True, shown)


@every_lab
@pytest.mark.parametrize(
    "rest",
    [
        "",
        "&set.nothing=1",
        "&text.x=%%",
        "&set.copies=999999999999",
        "&what=1",
        "&text.solo=AAAA",
        "&set.x=" + "9" * 9000,
    ],
)
def test_a_hostile_link_changes_nothing_and_says_why(lab: FormLab, rest: str) -> None:
    start = f"lab={lab.id}&v=1" if rest else f"lab={lab.id}&v=x"
    told = ask(lab, changes=[{"link": start + rest}])
    assert told["opened"] is False
    assert told["values"] == ask(lab)["values"]
    assert told["notice"]


@every_lab
def test_a_link_as_the_lab_is_says_nothing_but_its_name(lab: FormLab) -> None:
    values, _ = LABS.values(lab, None)
    link = form_link(lab, values)
    assert link == f"lab={lab.id}&v=1"
    assert values_of_link(lab, link) == dict(values)
    with pytest.raises(LinkError):
        values_of_link(lab, link.replace(lab.id, "other"))


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=examples(80), deadline=None)
@given(
    asked=st.fixed_dictionaries(
        {
            "lab": st.sampled_from(list(FORM_LABS)) | anything,
            "lang": anything,
            "values": anything,
            "changes": anything,
        }
    )
)
def test_whatever_is_asked_is_answered_with_json(asked: dict[str, Any]) -> None:
    assert isinstance(json.loads(respond(json.dumps({"kind": "form", **asked}))), dict)


def test_a_field_set_after_a_preset_or_beside_a_removed_item_counts() -> None:
    four = ask(LABS.lab("four-ways"), changes=[{"preset": "memory"}, {"set": {"copies": "5"}}])["values"]
    assert (four["copies"], four["memory"]) == ("5", "12")
    estimate = LABS.lab("estimate")
    shown = ask(estimate, changes=[{"preset": "both"}, {"add": "measured"}])["values"]
    changes = [
        {"remove": "measured.0"},
        {"set": {"measured.0.time": "1s", "measured.2.time": "2s"}},
        {"remove": "measured.0"},
    ]
    left = ask(estimate, values=shown, changes=changes)
    assert left["values"]["measured"] == "2"
    assert (left["values"]["measured.0.time"], left["values"]["measured.1.time"]) == ("320ms", "2s")


def test_an_item_more_than_the_most_is_not_added_and_the_last_one_goes_to_its_button() -> None:
    estimate = LABS.lab("estimate")
    full = ask(estimate, changes=[{"add": "measured"}] * 9)
    assert full["values"]["measured"] == "6"
    assert "At most 6." in full["form"]
    none = ask(estimate, changes=[{"remove": "measured.0"}])
    assert (none["values"]["measured"], none["focus"]) == ("0", "lab-estimate-measured-add")


@every_lab
def test_what_a_reader_types_is_escaped(lab: FormLab) -> None:
    evil = '"><script>alert(1)</script>'
    first = ask(lab)["values"]
    told = ask(
        lab,
        element=evil,
        values=dict.fromkeys(first, evil),
        changes=[{"values": dict.fromkeys(first, evil)}],
    )
    assert "<script" not in json.dumps(told.get("form", "")) + json.dumps(told["regions"])


# What a newcomer needs at a field, and where to read on


@every_language
@every_lab
def test_every_field_with_a_range_says_it_and_is_described_by_it(lab: FormLab, language: str) -> None:
    messages = LIBRARY.messages[language]
    html = LABS.html(lab.id, None, messages)
    for key, field in one_of_each(lab):
        path = re.sub(r"\.0\.", ".", key)
        if isinstance(field, Slider):
            output = f"form-lab.{lab.id}.output.{path}"
            ends = [str(field.minimum), str(field.maximum)]
            told = [messages.text(output, n=end) if messages.has(output) else end for end in ends]
        elif isinstance(field, Entry) and field.measure is not Measure.NAME:
            told = [*bounds_of(field).values()]
        else:
            continue
        hint = re.search(rf'id="lab-{lab.id}-{re.escape(key)}-hint">([^<]*)<', html)
        assert hint is not None, key
        assert messages.text("form.range", least=told[0], most=told[1]) in hint[1], key
        assert re.search(rf'data-field="{re.escape(key)}"[^>]*aria-describedby="[^"]*-hint ', html), key


@every_lab
def test_a_typed_field_shows_an_example_that_it_takes(lab: FormLab) -> None:
    """In its default, or where it may be empty in its hint, which ends with one."""
    messages = LIBRARY.messages["en"]
    for key, field in some((key, field) for key, field in one_of_each(lab) if isinstance(field, Entry)):
        hint = f"form-lab.{lab.id}.hint." + re.sub(r"\.0\.", ".", key)
        if field.default:
            assert amount_of(field.measure, field.default) is not None, key
        else:
            assert amount_of(field.measure, messages.text(hint).rpartition(": ")[2]) is not None, key
        if field.measure is not Measure.NAME and messages.has(hint):
            examples = re.findall(r"[0-9.]+ ?(?:ms|/s|GiB|%)", messages.text(hint))
            assert all(amount_of(field.measure, each) is not None for each in examples), key


def one_of_each(lab: FormLab) -> list[tuple[str, Plain]]:
    """Every field of a lab by its key, of groups those of the first item."""
    return [
        (f"{one.id}.0.{inner.id}" if isinstance(one, Group) else inner.id, inner)
        for one in lab.fields
        for inner in (one.fields if isinstance(one, Group) else (one,))
    ]


@every_language
@every_lab
def test_it_links_to_its_section_of_the_article_under_the_name_that_this_has(
    lab: FormLab, language: str
) -> None:
    page, _, anchor = lab.section.partition("#")
    article = (Path(__file__).parents[3] / "docs" / language / f"{page}.md").read_text("utf-8")
    title = re.search(r"^title: (.+)$", article, re.MULTILINE)
    heading = re.search(rf"^#+ (.+) {{#{anchor}}}$", article, re.MULTILINE)
    assert title is not None
    assert heading is not None
    named = LIBRARY.messages[language].text(f"form-lab.{lab.id}.section")
    assert (named.startswith(title[1]), named.endswith(heading[1])) == (True, True)
    for pages in ("../../{page}/", "{page}.html"):
        html = LABS.html(lab.id, None, LIBRARY.messages[language], pages)
        address = pages.replace("{page}", page)
        assert f'<a href="{address}#{anchor}">{named}</a></p>\n</figure>' in html


def test_a_field_has_no_class_by_which_a_picture_is_hidden() -> None:
    """`gl-wide` and `gl-narrow` are the two versions of a picture, of which a narrow page hides one."""
    for length in (1, 99):
        assert not {"gl-wide", "gl-narrow"} & set(choice_class([("a", "x" * length)]).split())
