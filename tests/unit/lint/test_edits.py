"""Edits give a file that means what they say; where they would not, there is none."""

from __future__ import annotations

import pytest

from labs.config.editing import add_member, add_under, rename
from labs.config.goyaml.nodes import Mapping, find
from labs.config.goyaml.positions import replace_span
from labs.config.goyaml.tree import read
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.explanation import explanation
from labs.lint.core.linter import lint
from labs.lint.core.linter import read as read_file
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Fix
from labs.lint.findings.fixing import fixed
from labs.lint.registry import RULES
from labs.lint.subject.settings import Settings


def root_of(text: str) -> Mapping:
    root = read(text)
    assert isinstance(root, Mapping)
    return root


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("b: 1\n", "a: 0\nb: 1\n"),
        ("{b: 1}\n", "{a: 0, b: 1}\n"),
        ("a:\nb: 1\n", None),
        ("b: 1\nA: 2\n", None),
        ('"a": 2\nb: 1\n', None),
    ],
)
def test_a_member_is_added_where_its_key_is_not_there_in_any_spelling(text: str, mended: str | None) -> None:
    edit = add_member(text, root_of(text), "a: 0")
    assert (None if edit is None else replace_span(text, edit.span, edit.text)) == mended


def test_no_member_is_added_below_a_key_where_it_is_there_with_nothing_in_it() -> None:
    text = "flags:\n  mpsRoot:\n  x: 1\n"
    assert add_under(text, root_of(text), "flags", "mpsRoot: /run/nvidia/mps") is None


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("m:\n  bad: 1\n", "m:\n  good: 1\n"),
        ("m:\n  'bad': 1\n", "m:\n  'good': 1\n"),
        ("m: {bad: 1}\n", "m: {good: 1}\n"),
        ("m:\n  bad: 1\n  good: 2\n", None),
        ("m:\n  bad: 1\n  bad: 2\n", None),
        ("m:\n  ? |\n    bad\n  : 1\n", None),
    ],
)
def test_a_key_is_renamed_in_its_quotes_where_no_other_key_would_count_then(
    text: str, mended: str | None
) -> None:
    holder = find(root_of(text), ("m",))
    assert isinstance(holder, Mapping)
    edit = rename(holder, holder.entries[0].key, "good")
    assert (None if edit is None else replace_span(text, edit.span, edit.text)) == mended


TWICE = {
    "GL308": "version: v1\nmig-configs:\n{}",
    "GL316": "version: v1\nmig-configs:\n  a:\n  - devices: all\n    mig-enabled: true\n    mig-devices:\n{}",
    "GL403": "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    resources:\n      limits:\n{}",
    "GL424": (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nspec:\n  devices:\n    config:\n    - opaque:\n"
        "        driver: gpu.nvidia.com\n        parameters:\n          apiVersion: resource.nvidia.com/v1beta1\n"
        "          kind: GpuConfig\n          sharing:\n            strategy: MPS\n            mpsConfig:\n{}"
    ),
    "GL502": "mig: {{strategy: single}}\ndevicePlugin:\n{}",
    "GL511": "apiVersion: v1\nkind: ConfigMap\ndata:\n  fine: |\n    version: v1\n    sharing: {{}}\n{}",
}
MEMBERS = {
    "GL308": "  two halves: [{devices: all, mig-enabled: false}]\n",
    "GL316": '      "mig-1g.5gb": 1\n',
    "GL403": "        nvidia.c.om/gpu: 1\n",
    "GL424": "              activeThreadPercentage: 50\n",
    "GL502": "  confg: {name: a}\n",
    "GL511": "  _small: |\n    version: v1\n    sharing: {}\n",
}


@pytest.mark.parametrize("code", MEMBERS)
def test_a_rule_offers_another_name_for_a_key_that_is_there_once_only(code: str) -> None:
    for times, offered in ((1, [True]), (2, [False])):
        found = fixes(TWICE[code].format(MEMBERS[code] * times), code)
        assert [fix is not None for fix in found][:1] == offered


def fixes(text: str, code: str) -> list[Fix | None]:
    settings = Settings(catalog=builtin_catalog())
    found = lint([read_file("a.yaml", text, settings)], settings, Selection(select=(code,)))["a.yaml"]
    return [one.fix for one in found]


def test_no_fix_of_any_rule_leaves_a_stray_line_feed_in_a_file_with_carriage_returns() -> None:
    tried = 0
    for rule in RULES:
        files = [(file.path, file.text.replace("\n", "\r\n")) for file in explanation(rule).bad]
        sources = [read_file(path, text, rule.example_settings) for path, text in files]
        findings = lint(sources, rule.example_settings, Selection(select=(rule.code,)))
        for path, text in files:
            after = fixed(text, findings[path]).text
            tried += after != text
            assert after.replace("\r\n", "").count("\n") == 0, rule.code
            assert after.replace("\r\n", "").count("\r") == 0, rule.code
    assert tried > 20


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # What a merge key brings stands in the map it would be moved to.
        (
            "version: v1\nflags: &n\n  m1e3igStrategy: mixed\nsharing:\n  timeSlicing:\n    <<: *n\n"
            "    resources: [{name: nvidia.com/gpu, replicas: 2}]\n",
            "GL103",
        ),
        # The invisible character is in a value, and another one in a key.
        (
            "version: v1\nsharing:\n  timeSlicing:\n    a\ufeffb: true\n    resources:\n"
            "    - {name: nvid\u00a0ia.com/gpu, replicas: 2}\n",
            "GL100",
        ),
    ],
)
def test_a_fix_that_would_not_mend_is_not_offered(text: str, code: str) -> None:
    source = read_file("a.yaml", text, Settings(catalog=builtin_catalog()))
    offered = lint([source], Settings(catalog=builtin_catalog()), Selection(select=(code,)))["a.yaml"]
    assert [(one.code, one.fix) for one in offered] == [(code, None)] * len(offered) != []
