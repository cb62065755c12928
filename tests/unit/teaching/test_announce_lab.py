"""The notice as a form lab: languages, several configs, and texts that are no config or none that loads."""

from __future__ import annotations

import json
from typing import Any

import pytest

from labs.browser import respond
from labs.library import builtin_library
from labs.teaching.form_lab.announce_lab import MOST_CONFIGS, PRESETS, SLICED

DEEP = "[" * 300 + "]" * 300
MAP = """kind: ConfigMap
apiVersion: v1
data:
"""


def ask(lang: str = "en", **values: str) -> dict[str, Any]:
    request = {"kind": "form", "lab": "announce", "lang": lang, "values": values}
    answer: dict[str, Any] = json.loads(respond(json.dumps(request)))
    return answer


def config_map(count: int) -> str:
    entries = (
        f"  key-{at}: |\n" + "".join(f"    {line}\n" for line in SLICED.splitlines()) for at in range(count)
    )
    return MAP + "".join(entries)


def test_the_page_language_and_the_others() -> None:
    until = {
        language: words.text("announce.meaning.until", meaning=words.text("announce.meaning.whole"))
        for language, words in builtin_library().messages.items()
    }
    assert until["ja"] in ask("ja")["regions"]["notice"]
    korean = ask("ja", language="ko")["regions"]
    assert '<article class="gl-notice" lang="ko">' in korean["notice"]
    assert until["ko"] in korean["notice"]
    assert until["ja"] in korean["summary"]
    assert "--lang ko" in korean["command"]
    assert "notice.ko.md" in korean["files"]


def test_each_config_of_a_config_map_has_a_notice() -> None:
    told = ask(config=config_map(3))["regions"]
    assert told["notice"].count("<article") == 3
    assert "2 more notices stand below" in told["summary"]


@pytest.mark.parametrize(
    ("values", "field", "said"),
    [
        (
            {"config": "apiVersion: v1\nkind: Pod\n"},
            "config",
            "holds no config of the device plugin, but: Pod.",
        ),
        ({"config": config_map(MOST_CONFIGS + 1)}, "config", "holds more configs than are told of here"),
        ({"config": DEEP}, "config", "larger or deeper"),
        ({"before": "apiVersion: v1\nkind: Pod\n"}, "before", "holds no config of the device plugin"),
        ({"before": config_map(2)}, "before", "None of these configs is called –."),
    ],
)
def test_what_can_not_be_read_is_said_at_its_field(values: dict[str, str], field: str, said: str) -> None:
    told = ask(**values)
    assert told["ok"] is False
    assert said in told["fields"][field]["problem"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"config": SLICED.replace("5", "1")}, "number of replicas must be &gt;= 2"),
        ({"before": SLICED.replace("5", "1")}, "The config that held until now does not load"),
        ({"config": SLICED.replace("timeSlicing", "mps").replace("5", "49")}, "49 &gt; 48"),
        ({"config": PRESETS["mps"]["config"], "deployer": "static"}, "--mps-root"),
    ],
)
def test_a_config_that_offers_nothing_is_an_answer_in_the_loaders_words(
    values: dict[str, str], said: str
) -> None:
    told = ask(**values)
    assert told["ok"] is True
    assert said in told["regions"]["summary"]
    assert told["regions"]["notice"] == told["regions"]["files"] == ""


def test_what_a_reader_writes_is_quoted_for_the_shell() -> None:
    told = ask(start="<b>`now`</b>", contact="**we** & `you`")["regions"]
    assert "--from &#39;&lt;b&gt;`now`&lt;/b&gt;&#39;" in told["command"]


def test_names_in_a_config_stay_text() -> None:
    hostile = "kind: ConfigMap\napiVersion: v1\ndata:\n  '<img src=x>`*': |\n    version: v1\n"
    told = ask(config=hostile)["regions"]
    assert "<img" not in told["notice"]
