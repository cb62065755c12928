"""The glossary: forms that are ruled out, spacing, voice; and what must never raise an alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks import glossary
from tests.checks.trees import docs_tree, write

BAD = [
    ("ja", "クラスタを分けます。", "クラスター"),
    ("ja", "コントローラが動きます。", "コントローラー"),
    ("ja", "スケジューラが選びます。", "スケジューラー"),
    ("ja", "サーバで動きます。", "サーバー"),
    ("ja", "メモリーを使います。", "メモリ"),
    ("ja", "ＧＰＵを使います。", "半角の英数字"),
    ("ja", "枠は２０個です。", "半角の英数字"),
    ("ja", "GPU を使います。", "空白なし"),
    ("ja", "利用者は GPUを使います。", "空白なし"),
    ("ja", "`replicas: 5` は枠です。", "空白なし"),
    ("ja", "**GPU** は枠です。", "空白なし"),
    ("ja", "[GPU](gpu.md) は枠です。", "空白なし"),
    ("ja", "枠は{{slots-and-memory.slots}} 個です。", "空白なし"),
    ("ja", "枠です，はい。", "、。"),
    ("ja", "ポッドが動きます。", "Pod"),
    ("ko", "GPU 를 쓴다.", "붙여 쓴 조사"),
    ("ko", "`replicas` 는 자리 수다.", "붙여 쓴 조사"),
    ("ko", "자리 {{slots-and-memory.slots}} 을 광고한다.", "붙여 쓴 조사"),
    ("ko", "타임 슬라이싱을 켠다.", "타임슬라이싱"),
    ("ko", "디바이스 플러그인이 광고한다.", "device plugin"),
    ("ko", "콘텍스트가 바뀐다.", "컨텍스트"),
    ("ko", "포드가 뜬다.", "파드"),
    ("ko", "스케쥴러가 고른다.", "스케줄"),
]

VOICE = [
    ("ja", "これは枠だ。"),
    ("ja", "これは枠である。"),
    ("ja", "枠がある。"),
    ("ja", "メモリを約束しない。"),
    ("ja", "枠が並んだ。次に、失敗した。"),
    ("ko", "자리를 나눕니다."),
    ("ko", "자리입니다. 그렇다."),
    ("ko", "메모리를 나누지 않아요."),
    ("ko", "그럴까요?"),
]

GOOD = [
    ("ja", "クラスターのコントローラーとスケジューラーが動きます。クラスタリングの話ではありません。"),
    ("ja", "コンテナのメモリは、GPU1枚につき40GiBです。"),
    ("ja", "1. 手順です。"),
    ("ja", "- 項目です"),
    ("ja", "| 方式 | 致命的なエラーは全員に及ぶ。 |"),
    ("ja", "「メモリを約束した。」とは言っていません。"),
    ("ja", "使用率は8%。"),
    ("ja", "`サーバ GPU を`とは書きません。"),
    ("ja", "NVIDIA Multi-Process Service（r590）の説明を読みましょう。ください。でしょう。"),
    ("ja", "ノード[^a]に届きます。"),
    ("ja", "```text\nGPU を使う。\n```"),
    ("ja", "<!-- GPU を使う。 -->"),
    ("ko", "GPU를 쓴다. MPS는 다르다. `replicas`는 자리 수다."),
    ("ko", "예약도 아니다. 그렇지 않다. 하지 마라."),
    ("ko", 'device plugin이 광고한다. 컨텍스트가 바뀐다. "나눕니다."라고 했다.'),
    ("ko", "네트워크가 필요. 이 점이 중요."),
    ("ko", "타임슬라이싱과 MPS 이 둘을 견준다."),
    ("ko", "GPU 의존성을 본다. GPU 은닉 계층."),
]


def problems_of(root: Path, language: str, text: str) -> list[str]:
    write(root, {f"docs/{language}/page.md": f"# x {{#x}}\n\n{text}\n"})
    return [str(problem) for problem in glossary.check(root)]


@pytest.mark.parametrize(("language", "text", "instead"), BAD)
def test_a_form_that_is_ruled_out_is_reported_with_what_stands_instead(
    tmp_path: Path, language: str, text: str, instead: str
) -> None:
    found = problems_of(tmp_path, language, text)
    assert len(found) == 1, found
    assert found[0].startswith(f"docs/{language}/page.md:3: ")
    assert f"write {instead}" in found[0]


@pytest.mark.parametrize(("language", "text"), VOICE)
def test_a_sentence_in_the_wrong_voice_is_reported(tmp_path: Path, language: str, text: str) -> None:
    found = problems_of(tmp_path, language, text)
    assert found
    assert all("is not in the style" in problem for problem in found)


@pytest.mark.parametrize(("language", "text"), GOOD)
def test_good_prose_raises_no_alarm(tmp_path: Path, language: str, text: str) -> None:
    assert problems_of(tmp_path, language, text) == []


def test_the_good_tree_passes(tmp_path: Path) -> None:
    assert glossary.check(docs_tree(tmp_path)) == []


def test_messages_are_prose_too(tmp_path: Path) -> None:
    write(tmp_path, {"labs/messages/ja/lab.toml": '[lab]\ntitle = "{pods} 個のPodが動いた。"\n'})
    assert [(problem.path, problem.line) for problem in glossary.check(tmp_path)] == [
        ("labs/messages/ja/lab.toml", 2),
        ("labs/messages/ja/lab.toml", 2),
    ]


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("뜻이 달라집니다", False),
        ("바꿀 것은 없습니다. 확인해 주십시오.", False),
        ("GPU 한 장을 단독으로 사용", False),
        ("제공하지 않음(상한이 아님)", False),
        ("뜻이 달라진다", True),
        ("바꿀 것은 없다. 확인해 주십시오.", True),
        ("자리는 몫이 아니다.", True),
    ],
)
def test_a_letter_to_colleagues_is_polite_in_korean(tmp_path: Path, said: str, wrong: bool) -> None:
    write(tmp_path, {"labs/messages/ko/notice.toml": f'[announce]\ntitle = "{said}"\n'})
    assert [str(problem) for problem in glossary.check(tmp_path) if "-습니다" not in problem.message] == []
    assert bool(glossary.check(tmp_path)) is wrong


def test_no_ruled_out_form_is_a_word_of_the_glossary() -> None:
    words = {
        ("ja", word) for term in glossary.read_terms() for word in (term.ja, *term.ja_also.split(","))
    } | {("ko", word) for term in glossary.read_terms() for word in (term.ko, *term.ko_also.split(","))}
    clashes = [
        (form.pattern.pattern, word)
        for form in glossary.read_forms()
        for language, word in words
        if form.language == language and form.instead != "空白なし" and form.pattern.search(word)
    ]
    assert clashes == []


def test_every_form_points_to_a_term_of_the_glossary_or_to_none() -> None:
    terms = {term.en for term in glossary.read_terms()} | {""}
    assert [form.term for form in glossary.read_forms() if form.term not in terms] == []
