"""Prose read by textlint and kiwipiepy: a bad sentence is found, a good one is not, and the project's own is good."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from checks.problem import Problem
from checks.wording import __main__ as wording
from checks.wording import japanese, korean
from checks.wording.markdown_text import plain_markdown
from checks.wording.sources import all_sources, changed_sources, language_of
from tests.checks.trees import write
from tools.paths import ROOT
from tools.process import Failure

BAD_JAPANESE = {
    "GPUを共有することができます。": "ja-no-redundant-expression",
    "GPU を共有します。": "ja-space-between-half-and-full-width",
    "メモリが足りるかもしれないです": "ja-no-mixed-period",
    "枠は、時間を、順に、公平に、分けます。": "max-ten",
    "材料不足で代替素材で製品を作りました。": "no-doubled-joshi",
    "ノードは再起動を行いますが、設定は残りますが、枠は消えます。": "no-doubled-conjunctive-particle-ga",
    "ＧＰＵを共有します。": "2.1.9.アルファベット",
    "kubernetesで共有します。": "prh",
    "Daemonsetを更新します。": "prh",
    "枠を渡すのである。": "no-mix-dearu-desumasu",
}
GOOD_JAPANESE = """\
---
title: 枠とメモリ
description: "1枚のGPUを、5つのPodで使います。"
---

# 枠とメモリ {#slots}

図も数字も、クラスターに適用する前に確かめます。**Podごとに枠を1つ渡します。**
枠は{{slots-and-memory.slots}}個です[^source]。
{.gl-lead}

```yaml
replicas: 5 # 設定 である
```

!!! note "KubernetesからはOOMがどう見えるか"

    エラーは、呼び出しに返ります。

- 足すか減らすかしてください。
- `kubernetes`はコードです。

用語を探している方へ
:   用語集を読みます。

[^source]: NVIDIA/k8s-device-plugin@1b826acc6（v0.20.0）の「Shared Access to GPUs」は、分離をしないと説明しています。
"""
BAD_KOREAN = {
    "파드 하나가 메모리를 잡고있다.": "missing",
    "노드가 GPU를 나눠쓸 수없다.": "missing",
    "스케줄러 는 자리를 센다.": "too many",
    "메모리가 모자란것은 아니다.": "missing",
}
GOOD_KOREAN = """\
---
title: 자리와 메모리
---

# 자리와 메모리 {#slots}

노드는 파드마다 자리를 하나씩 준다. 공유를 끄려면 블록을 지워야 한다.
카드가 {{slots-and-memory.cards}}장이면 `replicas`는 다섯 배가 되지만 메모리는 그대로다.
하루 평균 사용률은 8%인데 대기열은 빌 틈이 없다. 그중 하나는 1초에 한 번꼴로 멈춘다.
"""


def page_of(sentences: dict[str, str]) -> str:
    return "# 題 {#title}\n\n" + "\n\n".join(sentences) + "\n"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Problem]:
    """What both readers say of bad and good pages and messages, read at once, as starting them takes seconds."""
    root = write(
        tmp_path_factory.mktemp("pages"),
        {
            "docs/ja/bad.md": page_of(BAD_JAPANESE),
            "docs/ja/good.md": GOOD_JAPANESE,
            "docs/ko/bad.md": page_of(BAD_KOREAN).replace("題", "제목"),
            "docs/ko/good.md": GOOD_KOREAN,
            "labs/messages/ja/lab.toml": 'label = "枠の数"\nbad = "{n}個を共有することができます。"\ngood = "{n}個です。"\n',
            "labs/messages/ko/lab.toml": 'label = "자리 {n}개"\nbad = "{n}개를 잡고있다."\n',
        },
    )
    return wording.read(root, all_sources(root))


@pytest.mark.slow
def test_the_projects_own_prose_is_good() -> None:
    assert wording.read(ROOT, all_sources(ROOT)) == []


@pytest.mark.parametrize("sentence", BAD_JAPANESE)
def test_a_bad_japanese_sentence_is_found(sentence: str, found: list[Problem]) -> None:
    line = 3 + 2 * list(BAD_JAPANESE).index(sentence)
    said = [problem.message for problem in found if (problem.path, problem.line) == ("docs/ja/bad.md", line)]
    assert any(BAD_JAPANESE[sentence] in message for message in said), said


@pytest.mark.parametrize("sentence", BAD_KOREAN)
def test_a_bad_korean_sentence_is_found(sentence: str, found: list[Problem]) -> None:
    line = 3 + 2 * list(BAD_KOREAN).index(sentence)
    said = [problem.message for problem in found if (problem.path, problem.line) == ("docs/ko/bad.md", line)]
    assert any(BAD_KOREAN[sentence] in message for message in said), said


def test_a_good_page_is_not(found: list[Problem]) -> None:
    assert [problem for problem in found if problem.path.endswith("good.md")] == []


def test_messages_are_read_by_their_lines(found: list[Problem]) -> None:
    places = {(problem.path, problem.line) for problem in found if problem.path.endswith(".toml")}
    assert places == {("labs/messages/ja/lab.toml", 2), ("labs/messages/ko/lab.toml", 2)}


def test_the_glossarys_names_are_in_the_dictionary() -> None:
    text = japanese.dictionary()
    for name in ("DaemonSet", "ConfigMap", "kubelet", "device plugin", "Kubernetes"):
        assert text.count(f"expected: {name},") == 1
    assert "expected: ノード" not in text


def test_the_glossarys_words_are_known_to_the_model() -> None:
    words = korean.read_words()
    assert {("파드", "NNG"), ("데몬셋", "NNG"), ("롤링 업데이트", "NNG")} & set(words.known) == {
        ("파드", "NNG"),
        ("데몬셋", "NNG"),
    }
    assert "멈추다" not in dict(words.known)


@pytest.mark.parametrize(
    ("page", "plain"),
    [
        ("---\ntitle: 題\ntemplate: x\n---\n文。", "\n###### 題\n\n\n文。"),
        ('---\ndescription: "文。"\n---', "\n文。\n"),
        ("# 題 {#id}\n{.gl-lead}", "# 題\n"),
        ('!!! note "題"\n\n    文。\n\n    - 一\n外。', "###### 題\n\n文。\n\n- 一\n外。"),
        ('!!! note\n    文。\n    === "札"\n        中。\n外。', "\n文。\n###### 札\n中。\n外。"),
        ("語\n:   義。", "###### 語\n義。"),
        ("<div markdown>\n**太い**{{a.b}}個\n</div>", "\n太い3個\n"),
        ("文<!-- 注\n注 -->。", "文\n。"),
        ("## 出典 {#references}\n\n- a/b v1, c\n- d\n\n文。", "## 出典\n\n\n\n\n文。"),
        ("```yaml\n!!! {#id}\n```\n文 {#id}", "```yaml\n!!! {#id}\n```\n文"),
    ],
)
def test_what_only_mkdocs_understands_is_taken_away(page: str, plain: str) -> None:
    assert plain_markdown(page) == plain


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("docs/ja/labs/index.md", "ja"),
        ("docs/ko/index.md", "ko"),
        ("labs/messages/ko/lab.toml", "ko"),
        ("labs/messages/rules/ja/pods.toml", "ja"),
        ("docs/en/index.md", None),
        ("labs/messages/en/lab.toml", None),
        ("labs/messages/rules/en/pods.toml", None),
        ("docs/ja/picture.svg", None),
        ("README.md", None),
    ],
)
def test_the_language_of_a_file(path: str, language: str | None) -> None:
    assert language_of(path) == language


class TestChangedFiles:
    @pytest.fixture
    def repository(self, tmp_path: Path) -> Path:
        write(tmp_path, {"docs/ja/a.md": "一", "docs/ja/b.md": "一", "docs/en/a.md": "one", "README.md": "x"})
        for command in (
            ["init", "-q", "-b", "main"],
            ["config", "user.email", "a@example.org"],
            ["config", "user.name", "A"],
            ["add", "."],
            ["commit", "-q", "-m", "Pages"],
        ):
            subprocess.run(["git", *command], cwd=tmp_path, check=True)
        return tmp_path

    def test_nothing_is_changed_at_first(self, repository: Path) -> None:
        assert changed_sources(repository) == []

    def test_edited_and_new_pages_are(self, repository: Path) -> None:
        write(repository, {"docs/ja/b.md": "二", "docs/ko/新.md": "새", "docs/en/a.md": "two"})
        assert changed_sources(repository) == ["docs/ja/b.md", "docs/ko/新.md"]

    def test_so_are_those_committed_on_a_branch(self, repository: Path) -> None:
        write(repository, {"docs/ja/a.md": "二"})
        for command in (["switch", "-q", "-c", "branch"], ["commit", "-q", "-a", "-m", "Two"]):
            subprocess.run(["git", *command], cwd=repository, check=True)
        assert changed_sources(repository) == ["docs/ja/a.md"]

    def test_a_page_that_was_deleted_is_not_read(self, repository: Path) -> None:
        (repository / "docs/ja/a.md").unlink()
        assert changed_sources(repository) == []

    def test_without_git_all_are(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(tmp_path, {"docs/ja/a.md": "一", "labs/messages/ja/lab.toml": ""})
        monkeypatch.setenv("PATH", "")
        assert changed_sources(tmp_path) == ["docs/ja/a.md", "labs/messages/ja/lab.toml"]


class TestCommand:
    @pytest.fixture(autouse=True)
    def nobody_reads(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Readers that find every file bad, and start nothing."""

        def read(root: Path, paths: list[str]) -> list[Problem]:
            return [Problem(path, 1, "it is bad", "mend it") for path in paths]

        monkeypatch.setattr(wording, "READERS", {"ja": read, "ko": read})

    def test_problems_are_printed_and_exit_1(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(tmp_path, {"docs/ja/a.md": "一", "docs/ko/a.md": "하나"})
        assert wording.main(["--all", "--root", str(tmp_path)]) == 1
        assert capsys.readouterr().out == (
            "docs/ja/a.md:1: it is bad\n    mend it\n"
            "docs/ko/a.md:1: it is bad\n    mend it\n"
            "prose of 2 file(s): 2 problem(s)\n"
        )

    def test_nothing_to_read_exits_0(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert wording.main(["--all", "--root", str(tmp_path)]) == 0
        assert capsys.readouterr().out == "prose of 0 file(s): all well\n"

    def test_a_page_can_be_named(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(tmp_path, {"docs/ja/a.md": "一", "docs/ja/b.md": "二"})
        assert wording.main(["docs/ja/b.md", "--root", str(tmp_path)]) == 1
        assert "docs/ja/a.md" not in capsys.readouterr().out

    @pytest.mark.parametrize("arguments", [["docs/ja/no.md"], ["README.md"], ["--all", "docs/ja/a.md"]])
    def test_wrong_usage_exits_2(self, tmp_path: Path, arguments: list[str]) -> None:
        with pytest.raises(SystemExit) as caught:
            wording.main([*arguments, "--root", str(tmp_path)])
        assert caught.value.code == 2

    def test_a_reader_that_cannot_be_had_is_one_sentence(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def fail(root: Path, paths: list[str]) -> list[Problem]:
            raise Failure("The registry cannot be reached.")

        monkeypatch.setattr(wording, "READERS", {"ja": fail})
        assert wording.main(["--all", "--root", str(tmp_path)]) == 1
        assert capsys.readouterr().err == "The registry cannot be reached.\n"
