"""The terminal: exit codes, what goes to which stream, formats, languages, and bad input."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from labs import __version__
from labs.cli import COMMANDS, main
from labs.commands.terminal import INPUT_LIMIT, preferred_language
from labs.library import LANGUAGES, builtin_library
from labs.teaching.form_lab.labs import FORM_LABS
from labs.teaching.scenario_lab.controls import preset_text
from tests.unit.scenarios import STORY, node, outcome, pods, scenario, service, training

ENGLISH = builtin_library().messages["en"]
LABS = builtin_library().labs
ROLLOUTS = builtin_library().rollouts
KNOWN = ", ".join((*LABS, *FORM_LABS, *ROLLOUTS))
LAB = builtin_library().lab("slots-and-memory")
FINE = scenario([node()], [pods("a", memory="1GiB")])
UNMET = scenario([node()], [pods("a", memory="1GiB")], expect={"oom": 1})
REFUSED = scenario([node(replicas=1)], [pods("a")])
Ran = tuple[int, str, str]
Run = Callable[..., Ran]


@pytest.fixture
def gpulab(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process: (exit code, standard output, standard error)."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")

    def run(*arguments: str, stdin: bytes | None = None) -> Ran:
        if stdin is not None:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = main(arguments)
        except SystemExit as ended:  # --help and --version
            code = int(ended.code or 0)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], str]:
    """Writes a file and gives its path."""

    def write(content: str | bytes) -> str:
        path = tmp_path / "scenario.yaml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


Write = Callable[[str | bytes], str]


# Exit codes and streams


@pytest.mark.parametrize(("text", "code"), [(FINE, 0), (STORY, 0), (UNMET, 1), (REFUSED, 1)])
@pytest.mark.parametrize("form", ["text", "json", "html", "svg"])
def test_results_go_to_standard_output_and_bad_news_is_code_1(
    gpulab: Run, file: Write, text: str, code: int, form: str
) -> None:
    found, out, err = gpulab("run", file(text), "--format", form)
    assert (found, err) == (code, "")
    assert out.endswith("\n")


def test_a_dash_reads_standard_input(gpulab: Run) -> None:
    code, out, _ = gpulab("run", "-", "--format", "json", stdin=STORY.encode())
    assert (code, json.loads(out)["traceHash"]) == (0, outcome(STORY).trace_hash)


def test_a_scenario_that_does_not_parse_is_code_2_with_places(gpulab: Run, file: Write) -> None:
    path = file("format: 2\nhorizon: 日本\n")
    code, out, err = gpulab("run", path)
    assert (code, out) == (2, "")
    assert [line.split(": ")[0] for line in err.splitlines() if line.startswith(path)] == [
        f"{path}:1:1",
        f"{path}:1:1",
        f"{path}:1:9",
        f"{path}:2:10",
    ]
    assert "Traceback" not in err


@pytest.mark.parametrize("form", ["text", "json"])
def test_problems_are_the_same_whatever_the_format(gpulab: Run, file: Write, form: str) -> None:
    code, out, err = gpulab("run", file("[]"), "--format", form)
    assert (code, out) == (2, "")
    assert ":1:1: " in err


@pytest.mark.parametrize("content", [b"", b"\n", b"# comment"])
def test_an_empty_file_is_no_scenario(gpulab: Run, file: Write, content: bytes) -> None:
    assert gpulab("run", file(content))[0] == 2


def test_a_missing_file(gpulab: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "nothing.yaml")
    said = ENGLISH.text("cli.cannot-read", path=path, reason=os.strerror(errno.ENOENT))
    assert gpulab("run", path) == (2, "", said + "\n")


def test_a_folder(gpulab: Run, tmp_path: Path) -> None:
    code, _, err = gpulab("run", str(tmp_path))
    assert code == 2
    assert "directory" in err.lower() or "denied" in err.lower()


def test_a_path_with_a_nul(gpulab: Run) -> None:
    assert gpulab("run", "a\0b")[0] == 2


def test_a_file_over_the_limit(gpulab: Run, file: Write) -> None:
    code, _, err = gpulab("run", file("#" * (INPUT_LIMIT + 1)))
    assert code == 2
    assert f"{INPUT_LIMIT:,}" in err


def test_a_file_that_is_not_utf8_names_the_line(gpulab: Run, file: Write) -> None:
    path = file(b"format: 1\n# caf\xe9\n")
    assert gpulab("run", path) == (2, "", ENGLISH.text("cli.not-utf8", path=path, line=2) + "\n")


def test_a_byte_order_mark_is_no_part_of_the_scenario(gpulab: Run, file: Write) -> None:
    assert gpulab("run", file(b"\xef\xbb\xbf" + FINE.encode()))[0] == 0


# Formats


def shape(value: Any) -> Any:
    """Keys and types of a JSON value; a list is the set of shapes of its items."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    return [] if isinstance(value, list) else type(value).__name__


def test_the_json_of_run(gpulab: Run, file: Write) -> None:
    text = scenario(
        [node(replicas=2)],
        [pods("s", job=service(clients=1)), pods("t", job=training())],
        expect={"oom": 0},
    )
    found = json.loads(gpulab("run", file(text), "--format", "json")[1])
    assert list(found) == ["traceHash", "pods", "gpus", "nodes", "metrics", "expectedError", "expectation"]
    assert shape(found["pods"][0]) == {
        "name": "str",
        "workload": "str",
        "node": "str",
        "device": "str",
        "phase": "str",
        "reason": "NoneType",
        "message": "NoneType",
        "oom": "int",
        "startedAt": "float",
        "finishedAt": "NoneType",
        "slowdown": "float",
        "throughput": "float",
        "latency": {"mean": "float", "p50": "NoneType", "p99": "NoneType"},
        "solo": {"throughput": "float", "latency": "float"},
    }
    assert shape(found["gpus"][0]) == {
        "node": "str",
        "index": "int",
        "utilization": "float",
        "peakMemoryMiB": "float",
        "oom": "int",
    }
    assert found["nodes"] == [{"name": "node", "resources": {"nvidia.com/gpu": 2}, "error": None}]
    assert shape(found["expectedError"]) == {"time-slicing": {"percent": "float", "basis": "str"}}
    assert found["expectation"] == {"met": True, "differences": []}


def test_json_keeps_what_kubernetes_says_in_every_language(gpulab: Run, file: Write) -> None:
    path = file(REFUSED)
    printed = {gpulab("run", path, "--format", "json", "--lang", language)[1] for language in LANGUAGES}
    assert len(printed) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_svg_is_well_formed_and_stands_alone(gpulab: Run, file: Write, language: str) -> None:
    out = gpulab("run", file(STORY), "--format", "svg", "--lang", language)[1]
    root = ElementTree.fromstring(out.encode())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_the_html_is_a_whole_page(gpulab: Run, file: Write) -> None:
    out = gpulab("run", file(STORY), "--format", "html", "--lang", "ja")[1]
    assert out.startswith("<!doctype html>")
    assert '<html lang="ja"' in out
    assert out.rstrip().endswith("</html>")


def test_the_text_ends_with_the_hash(gpulab: Run, file: Write) -> None:
    assert outcome(STORY).trace_hash in gpulab("run", file(STORY))[1].splitlines()[-1]


# Languages


def is_written_in(language: str, text: str) -> bool:
    """Whether a text has kana or hangul, or neither."""
    kana, hangul = re.search("[ぁ-ヿ]", text), re.search("[가-힣]", text)
    return (bool(kana), bool(hangul)) == (language == "ja", language == "ko")


@pytest.mark.parametrize("language", LANGUAGES)
def test_lang_may_stand_before_or_after_the_command(gpulab: Run, file: Write, language: str) -> None:
    path = file(STORY)
    printed = {
        gpulab("--lang", language, "run", path),
        gpulab("run", "--lang", language, path),
        gpulab("run", path, f"--lang={language}"),
        gpulab(f"--lang={language}", "run", path),
    }
    assert len(printed) == 1
    assert is_written_in(language, printed.pop()[1])


@pytest.mark.parametrize(
    ("values", "language"),
    [
        (("ja_JP.UTF-8",), "ja"),
        ((None, None, "ko_KR.UTF-8"), "ko"),
        (("C", "ja_JP.UTF-8"), "en"),
        (("", "ja_JP"), "ja"),
        (("de_DE.UTF-8",), "en"),
        (("Japanese_Japan.932",), "ja"),
        (("Korean_Korea.949",), "ko"),
        ((None, None, None), "en"),
        (("POSIX",), "en"),
    ],
)
def test_the_language_is_that_of_the_locale_if_it_is_one_of_ours(
    values: tuple[str | None, ...], language: str
) -> None:
    assert preferred_language(values) == language


def test_the_locale_is_used(gpulab: Run, file: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    assert is_written_in("ko", gpulab("run", file(STORY))[1])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nothing",),
        ("run",),
        ("run", "a", "b"),
        ("run", "a", "--format", "pdf"),
        ("lab", "dance"),
        ("advertise", "x"),
        ("serve", "--port", "eighty"),
    ],
)
def test_wrong_usage_is_code_2_and_says_where_help_is(
    gpulab: Run, language: str, arguments: tuple[str, ...]
) -> None:
    code, out, err = gpulab("--lang", language, *arguments)
    assert (code, out) == (2, "")
    assert "gpulab" in err
    assert "--help" in err


@pytest.fixture
def node_file(tmp_path: Path) -> str:
    """The path of a node file."""
    path = tmp_path / "node.yaml"
    path.write_text('gpus: [{name: Tesla T4, memoryMiB: 15360, computeCapability: "7.5"}]', "utf-8")
    return str(path)


def test_arguments_of_the_plugin_with_an_open_quote(gpulab: Run, file: Write, node_file: str) -> None:
    code, out, err = gpulab(
        "advertise", file("version: v1"), "--node", node_file, "--plugin-args=--mig-strategy='none"
    )
    assert (code, out) == (2, "")
    assert err == (
        "--plugin-args --mig-strategy='none can't be split into words: No closing quotation. Close its quotes.\n"
    )


DEEP = "[" * 200 + "]" * 200


def test_a_config_beyond_our_limits_is_no_verdict_of_the_plugin(
    gpulab: Run, file: Write, node_file: str
) -> None:
    code, out, err = gpulab("advertise", file(f"x: {DEEP}"), "--node", node_file)
    assert (code, out) == (2, "")
    assert "nested more than" in err
    code, out, err = gpulab("run", file(scenario([node(text=f"x: {DEEP}")], [pods("a")])))
    assert (code, out) == (2, "")
    assert "nested more than" in err


def test_a_language_that_there_is_not(gpulab: Run) -> None:
    code, _, err = gpulab("lab", "list", "--lang", "tlh")
    assert code == 2
    assert "'tlh'" in err


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(gpulab: Run, command: str, language: str) -> None:
    code, out, err = gpulab("--lang", language, command, "--help")
    assert (code, err) == (0, "")
    assert f"gpulab {command}" in out


def test_the_version(gpulab: Run) -> None:
    assert gpulab("--version") == (0, f"gpulab {__version__}\n", "")


# Labs


def test_labs_are_listed(gpulab: Run) -> None:
    titles = {lab: ENGLISH.text(f"lab.{lab}.title") for lab in LABS}
    titles |= {lab: ENGLISH.text(f"form-lab.{lab}.title") for lab in FORM_LABS}
    titles |= {lab: ENGLISH.text(f"rollout-lab.{lab}.title") for lab in ROLLOUTS}
    lines = gpulab("lab", "list")[1].splitlines()
    assert [tuple(re.split("  +", line)) for line in lines] == list(titles.items())
    listed = json.loads(gpulab("lab", "list", "--format", "json")[1])
    assert listed == [{"id": lab, "title": title} for lab, title in titles.items()]


def test_a_lab_shows_the_very_text_that_run_takes(gpulab: Run, file: Write) -> None:
    code, shown, _ = gpulab("lab", "show", LAB.id)
    assert (code, shown) == (0, LAB.scenario)
    assert gpulab("run", "-", stdin=shown.encode()) == gpulab("lab", "run", LAB.id)


def test_a_lab_as_json(gpulab: Run) -> None:
    shown = json.loads(gpulab("lab", "show", LAB.id, "--preset", "small", "--format", "json")[1])
    assert shown == {
        "id": LAB.id,
        "title": ENGLISH.text("lab.slots-and-memory.title"),
        "presets": ["story", "small", "refused", "two", "finds", "agreed"],
        "scenario": preset_text(LAB, "small"),
    }


@pytest.mark.parametrize(
    ("preset", "code"), [("story", 0), ("small", 0), ("refused", 1), ("two", 0), ("finds", 0)]
)
def test_a_lab_runs_with_a_preset(gpulab: Run, preset: str, code: int) -> None:
    """Each makes its own claim; a node whose config is refused is bad news all the same."""
    found, out, err = gpulab("lab", "run", LAB.id, "--preset", preset, "--format", "json")
    assert (found, err) == (code, "")
    assert json.loads(out)["traceHash"] == outcome(preset_text(LAB, preset)).trace_hash


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("lab", "show"), ENGLISH.text("cli.lab-missing", known=KNOWN)),
        (("lab", "run", "nobody"), ENGLISH.text("cli.lab-unknown", lab="nobody", known=KNOWN)),
        (
            ("lab", "show", LAB.id, "--preset", "tiny"),
            ENGLISH.text(
                "cli.preset-unknown", preset="tiny", known="story, small, refused, two, finds, agreed"
            ),
        ),
    ],
)
def test_an_unknown_lab_or_preset_names_those_there_are(
    gpulab: Run, arguments: tuple[str, ...], said: str
) -> None:
    assert gpulab(*arguments) == (2, "", said + "\n")


# As a process of its own


def process(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "labs.cli", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_a_process_ends_with_the_code_and_speaks_utf8() -> None:
    done = process("run", "-", "--lang", "ja", stdin=UNMET.encode())
    assert (done.returncode, done.stderr) == (1, b"")
    assert is_written_in("ja", done.stdout.decode("utf-8"))


def test_a_process_has_no_traceback_and_no_colours() -> None:
    done = process("run", "-", stdin=b"\xff")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"\x1b" not in done.stderr


def test_a_reader_that_has_had_enough_is_no_error() -> None:
    text = scenario([node(cards=16)], [pods("a", 5000)])
    with subprocess.Popen(
        [sys.executable, "-m", "labs.cli", "run", "-", "--format", "json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(text.encode())
        running.stdin.close()
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(timeout=60) == 0


@pytest.mark.parametrize(
    ("arguments", "key", "values"),
    [
        (["lab", "list", "slots-and-memory"], "cli.lab-list", {}),
        (["lab", "list", "--preset", "small"], "cli.lab-list", {}),
        (["advertise", "-", "--node", "-"], "cli.stdin-twice", {}),
    ],
)
def test_what_can_not_be_meant_is_told(
    arguments: list[str], key: str, values: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for language, messages in builtin_library().messages.items():
        assert main([*arguments, "--lang", language]) == 2
        assert capsys.readouterr().err == messages.text(key, **values) + "\n"


def test_an_only_node_without_a_name_is_not_asked_for_by_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    node = tmp_path / "a#b.yaml"
    node.write_text('gpus: [{name: T4, memoryMiB: 15360, computeCapability: "7.5"}]', encoding="utf-8")
    config = tmp_path / "c.yaml"
    config.write_text("version: v1\n", encoding="utf-8")

    assert main(["advertise", str(config), "--node", f"{node}#x", "--lang", "en"]) == 2
    assert "Leave #x out" in capsys.readouterr().err
