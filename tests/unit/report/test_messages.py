from __future__ import annotations

from collections.abc import Sequence

import pytest

from labs.library import builtin_library
from labs.report.writing import visible_path
from labs.report.writing.messages import MessageError, Messages
from tests.unit.report.stories import LANGUAGES, messages

WORDS = Messages(
    "en",
    {
        "pods": {"one": "{n} Pod", "other": "{n} Pods of {all}"},
        "plain": "nothing to fill",
        "braces": "{{{name}}}",
        "unit": {"mib": "{n} MiB", "gib": "{n} GiB", "tib": "{n} TiB", "kib": "{n} KiB", "bytes": "{n} B"},
    },
)


class TestText:
    def test_fills_placeholders(self) -> None:
        assert WORDS.text("braces", name="a") == "{a}"

    def test_values_are_not_read_as_placeholders(self) -> None:
        assert WORDS.text("braces", name="{n}") == "{{n}}"

    @pytest.mark.parametrize(
        ("key", "values", "says"),
        [
            ("nowhere", {}, "no message 'nowhere' in 'en'"),
            ("braces", {}, "missing values: name; needless: none"),
            ("plain", {"x": 1}, "missing values: none; needless: x"),
        ],
    )
    def test_a_wrong_call_says_what_is_wrong(self, key: str, values: dict[str, int], says: str) -> None:
        with pytest.raises(MessageError, match=says):
            WORDS.text(key, **values)

    @pytest.mark.parametrize("text", ["{", "}", "{0}", "{a.b}", "{a!r}", "{a:>9}", "{}", "{a[0]}"])
    def test_only_plain_names_stand_in_braces(self, text: str) -> None:
        with pytest.raises(MessageError, match=r"write \{name\} or double the brace"):
            Messages("en", {"key": text})

    def test_a_message_is_a_string(self) -> None:
        with pytest.raises(MessageError, match=r"message 'a\.b' is 3"):
            Messages("en", {"a": {"b": 3}})

    def test_a_file_that_is_no_toml_is_refused(self) -> None:
        with pytest.raises(MessageError, match="messages of 'ja' are not TOML"):
            Messages.from_toml(["a = "], "ja")

    def test_pick_takes_only_what_a_sentence_wants(self) -> None:
        assert WORDS.pick("pods.one", {"n": 1, "all": 9}) == "1 Pod"


class TestCount:
    def test_one_and_other(self) -> None:
        assert WORDS.count("pods", 1) == "1 Pod"
        assert WORDS.count("pods", 1200, all=2000) == "1,200 Pods of 2,000"


class TestNumbers:
    @pytest.mark.parametrize(
        ("value", "shown"),
        [
            (0, "0"),
            (38, "38"),
            (37.66, "37.7"),
            (37.96, "38"),
            (1234567.0, "1,234,567"),
            (-0.01, "0"),
            (10**17 + 1, "100,000,000,000,000,001"),
        ],
    )
    def test_numbers_have_groups_and_no_needless_decimals(self, value: float, shown: str) -> None:
        assert WORDS.number(value) == shown

    @pytest.mark.parametrize(
        ("n", "shown"),
        [
            (38 * 2**30, "38 GiB"),
            (300 * 2**20, "300 MiB"),
            (1536 * 2**20, "1.5 GiB"),
            (2**40, "1 TiB"),
            (2048, "2 KiB"),
            (17, "17 B"),
            (0, "0 GiB"),
        ],
    )
    def test_bytes_in_the_largest_whole_unit(self, n: int, shown: str) -> None:
        assert WORDS.bytes_text(n) == shown

    @pytest.mark.parametrize(
        ("microseconds", "en", "ja", "ko"),
        [
            (0, "0 s", "0秒", "0초"),
            (2500, "2.5 ms", "2.5ミリ秒", "2.5ms"),
            (1_500_000, "1.5 s", "1.5秒", "1.5초"),
            (10_000_000, "10 s", "10秒", "10초"),
            (90_000_000, "1 min 30 s", "1分30秒", "1분 30초"),
            (600_000_000, "10 min", "10分", "10분"),
            (7_200_000_000, "2 h", "2時間", "2시간"),
            (3_661_000_000, "1 h 1 min", "1時間1分", "1시간 1분"),
        ],
    )
    def test_durations_in_at_most_two_units(self, microseconds: int, en: str, ja: str, ko: str) -> None:
        shown = [messages(language).duration(microseconds) for language in LANGUAGES]
        assert shown == [en, ja, ko]

    @pytest.mark.parametrize(("share", "shown"), [(0.0, "0%"), (0.0812, "8.1%"), (0.5, "50%"), (1.0, "100%")])
    def test_shares_in_percent(self, share: float, shown: str) -> None:
        assert messages("en").percent(share) == shown


class TestLanguages:
    def test_all_have_the_same_keys(self) -> None:
        keys = [messages(language).keys for language in LANGUAGES]
        assert keys[1:] == keys[:1] * 2

    def test_all_sentences_want_the_same_values(self) -> None:
        english = messages("en")
        different = [
            (language, key)
            for language in LANGUAGES
            for key in english.keys
            if messages(language).placeholders(key) != english.placeholders(key)
        ]
        assert different == []

    def test_what_is_counted_has_both_forms(self) -> None:
        keys = set(messages("en").keys)
        forms = {key.rsplit(".", 1)[0] for key in keys if key.endswith((".one", ".other"))}
        assert {form for form in forms if not {f"{form}.one", f"{form}.other"} <= keys} == set()

    def test_no_particle_follows_a_korean_value_of_unknown_sound(self) -> None:
        """A Pod's name may end in any sound, so 을/를, 이/가, 은/는, 과/와 and 으로/로 can't stand right behind one."""
        names = ("pod", "node", "nodes", "error", "reason", "key", "value")
        assert _with_particles(messages("ko"), names) == []

    def test_none_follows_one_in_the_words_of_the_rules(self) -> None:
        korean = builtin_library().rules["ko"]
        names = {name for key in korean.keys for name in korean.placeholders(key)} - COUNTS
        assert _with_particles(korean, sorted(names)) == []


COUNTS = {
    "count",
    "limit",
    "most",
    "needed",
    "total",
    "slots",
    "replicas",
    "clients",
    "lines",
    "line",
    "number",
}


def _with_particles(korean: Messages, names: Sequence[str]) -> list[str]:
    """The keys of the sentences in which a particle stands right behind one of these values, quoted or not."""
    behind = ("을", "를", "이 ", "가 ", "은 ", "는 ", "과 ", "와 ", "으로", "로 ")
    return [
        key
        for key in korean.keys
        for filled in [korean.pick(key, {name: f"<{name}>" for name in korean.placeholders(key)})]
        for name in names
        if any(f"<{name}>{quote}{particle}" in filled for quote in ("", '"') for particle in behind)
    ]


@pytest.mark.parametrize(
    ("path", "quoted"),
    [
        ("a.yaml", "a.yaml"),
        (" ", '" "'),
        ("/long" * 40 + "/none.yaml", "…" + ("/long" * 40 + "/none.yaml")[-80:]),
    ],
)
def test_of_a_long_path_the_end_is_quoted_where_the_name_stands(path: str, quoted: str) -> None:
    assert visible_path(path) == quoted
