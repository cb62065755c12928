"""The options of `gpulab check`: which rules speak, in which circumstances, over which files; and what the exit code says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from labs.library import LANGUAGES
from labs.report.writing.measure import columns
from tests.unit.edges.conftest import Command

ROOT = Path(__file__).parents[3]
NODES = ROOT / "tests" / "cases" / "nodes.yaml"
HINT = (
    "version: v1\nsharing:\n  timeSlicing:\n    resources:\n    - name: nvidia.com/gpu\n      replicas: 4\n"
)
FINE = HINT.replace("    resources", "    failRequestsGreaterThanOne: true\n    resources")
REFUSED = HINT.replace("4", "1")
TYPO = HINT.replace("timeSlicing", "time-slicing")
NEWER = "version: v1\nflags:\n  plugin:\n    sharedDevicesAllocationPolicy: packed\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in {"hint": HINT, "fine": FINE, "refused": REFUSED, "typo": TYPO, "newer": NEWER}.items():
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")


class TestWhichRulesSpeak:
    @pytest.mark.parametrize(
        ("options", "codes"),
        [
            ((), ["GL214"]),
            (("--select", "GL214"), ["GL214"]),
            (("--select", "requests-above-one-accepted"), ["GL214"]),
            (("--select", "GL2"), ["GL214", "GL221", "GL222"]),
            (("--select", "ALL"), ["GL214", "GL221", "GL222"]),
            (("--select", "GL1,GL3"), []),
            (("--select", "GL1", "--select", "GL214"), ["GL214"]),
            (("--select", " GL3 , GL214 ,"), ["GL214"]),
            (("--select", ""), ["GL214"]),
            (("--extend-select", "GL221"), ["GL214", "GL221"]),
            (("--select", "GL1", "--extend-select", "time-slicing-isolates-nothing"), ["GL221"]),
            (("--ignore", "GL214"), []),
            (("--ignore", "requests-above-one-accepted"), []),
            (("--ignore", "GL2"), []),
            (("--ignore", "GL"), []),
            (("--select", "GL214", "--ignore", "GL2"), []),
            (("--extend-select", "GL221", "--ignore", "GL221"), ["GL214"]),
        ],
    )
    def test_by_code_slug_and_beginning_of_a_code(
        self, command: Command, options: tuple[str, ...], codes: list[str]
    ) -> None:
        assert sorted(command("check", "--format", "json", *options, "hint.yaml").codes) == codes

    @pytest.mark.parametrize("option", ["--select", "--extend-select", "--ignore"])
    @pytest.mark.parametrize(
        ("name", "near"),
        [
            ("gl214", "GL214"),
            ("request-above-one-accepted", "requests-above-one-accepted"),
            ("GL2140", "GL214"),
            ("nothing of the kind", ""),
            ("日本", ""),
            ("\x1b[31m", ""),
        ],
    )
    def test_a_name_that_no_rule_has_is_wrong_usage(
        self, command: Command, option: str, name: str, near: str
    ) -> None:
        ran = command("check", option, name, "hint.yaml")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("There is no rule ")
        assert (f"Did you mean {near}?" in ran.err) == bool(near)
        assert "\x1b" not in ran.err

    def test_a_comment_with_a_reason_silences_its_line(self, command: Command, tmp_path: Path) -> None:
        lines = HINT.splitlines()
        for place, comment in (
            (2, "# gpulab: ignore[GL214] tested"),
            (2, "# gpulab: ignore[GL100, GL214] so"),
        ):
            text = "\n".join([*lines[:place], f"  {comment}", *lines[place:]])
            (tmp_path / "a.yaml").write_text(text, "utf-8")
            assert command("check", "--format", "json", "a.yaml").codes == []
        (tmp_path / "a.yaml").write_text(
            HINT.replace("timeSlicing:", "timeSlicing:  # gpulab: ignore[GL214]"), "utf-8"
        )
        assert "GL214" in command("check", "--format", "json", "a.yaml").codes


class TestCircumstances:
    @pytest.mark.parametrize(
        ("version", "found"),
        [("0.19", True), ("v0.19.3", True), ("0.20", False), ("v0.20.0", False), ("1.0", False)],
    )
    def test_a_field_is_newer_than_the_plugin(self, command: Command, version: str, found: bool) -> None:
        ran = command("check", "--format", "json", "--plugin-version", version, "newer.yaml")
        assert ("GL225" in ran.codes) == found

    @pytest.mark.parametrize(
        "version", ["", "0", "twenty", "0.20-rc.1", "0.20.0.0", "９.９", "-1.0", "\x1b[1m"]
    )
    def test_what_is_no_version_is_wrong_usage(self, command: Command, version: str) -> None:
        ran = command("check", f"--plugin-version={version}", "newer.yaml")
        assert ran.code == (2 if version else 0)
        assert "\x1b" not in ran.err

    def test_a_node_shows_what_it_offers(self, command: Command) -> None:
        ran = command("check", "--node", f"{NODES}#full2_a100", "fine.yaml")
        assert "full2_a100" in ran.out
        assert "nvidia.com/gpu: 8" in ran.out

    def test_all_nodes_of_a_file_are_shown(self, command: Command) -> None:
        out = command("check", "--node", str(NODES), "fine.yaml").out
        assert all(name in out for name in ("full2_a100", "full1_t4", "mig_balanced_plus_full"))

    def test_rules_see_the_cards_of_the_nodes(self, command: Command, tmp_path: Path) -> None:
        many = FINE.replace("timeSlicing", "mps").replace("4", "30")
        many = many.replace("sharing", "flags: {mpsRoot: /run/nvidia/mps}\nsharing")
        (tmp_path / "mps.yaml").write_text(many, "utf-8")
        old = command("check", "--format", "json", "--node", f"{NODES}#full1_v100", "mps.yaml").codes
        new = command("check", "--format", "json", "--node", f"{NODES}#full2_a100", "mps.yaml").codes
        assert ("GL211" in old, "GL211" in new) == (True, False)

    @pytest.mark.parametrize("node", ["gone.yaml", "hint.yaml#x", "#", "\x00", "fine.yaml"])
    def test_a_node_file_that_is_none_is_wrong_usage(self, command: Command, node: str) -> None:
        ran = command("check", "--node", node, "fine.yaml")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err != ""

    @pytest.mark.parametrize(
        ("option", "allowed"),
        [
            ("--kind", "'auto', 'device-plugin', 'mig-parted'"),
            ("--deployer", "'operator', 'helm', 'static'"),
            ("--format", "'text', 'json', 'sarif', 'github'"),
            ("--lang", "'en', 'ja', 'ko'"),
        ],
    )
    def test_a_word_that_is_not_known_is_answered_with_those_that_are(
        self, command: Command, option: str, allowed: str
    ) -> None:
        ran = command("check", option, "x", "fine.yaml")
        assert (ran.code, ran.out) == (2, "")
        assert allowed in ran.err

    @pytest.mark.parametrize("kind", ["device-plugin", "mig-parted"])
    @pytest.mark.parametrize("name", ["fine", "typo", "refused"])
    def test_a_file_is_the_kind_that_is_said(self, command: Command, kind: str, name: str) -> None:
        (document,) = command("check", "--format", "json", "--kind", kind, f"{name}.yaml").json["files"][0][
            "documents"
        ]
        assert (document["kind"], document["key"]) == (kind, None)


class TestFiles:
    def test_files_are_told_in_the_order_given_each_once(self, command: Command) -> None:
        ran = command("check", "--format", "json", "typo.yaml", "fine.yaml", "typo.yaml")
        assert [file["path"] for file in ran.json["files"]] == ["typo.yaml", "fine.yaml"]

    def test_a_folder_is_its_yaml_files_at_any_depth(self, command: Command, tmp_path: Path) -> None:
        for name in ("sub/b.yml", "sub/deep/c.yaml", "sub/notes.md", "sub/d.json", "sub/x.yaml/e.yaml"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(FINE, "utf-8")
        ran = command("check", "--format", "json", "sub", "fine.yaml")
        names = ["sub/b.yml", "sub/deep/c.yaml", "sub/x.yaml/e.yaml", "fine.yaml"]
        assert [Path(file["path"]).as_posix() for file in ran.json["files"]] == names

    def test_standard_input_is_a_dash(self, command: Command) -> None:
        ran = command("check", "--format", "json", "fine.yaml", "-", stdin=REFUSED.encode())
        assert [file["path"] for file in ran.json["files"]] == ["fine.yaml", "-"]
        assert ran.code == 1
        assert command("check", "-", "-", stdin=b"").code == 2
        assert command("check", "-", "--node", "-", stdin=b"").code == 2

    @pytest.mark.parametrize("path", ["gone.yaml", "", "\x00", "a" * 5000, "fine.yaml/x"])
    def test_a_file_that_cannot_be_read_is_wrong_usage(self, command: Command, path: str) -> None:
        ran = command("check", path)
        assert (ran.code, ran.out) == (2, "")

    @pytest.mark.parametrize("path", ["gone.yaml", "", "\x00", "a" * 5000, "fine.yaml/x"])
    def test_what_is_named_beside_one_that_cannot_be_read_is_checked_all_the_same(
        self, command: Command, path: str
    ) -> None:
        ran = command("check", "--format", "json", "refused.yaml", path)
        assert ran.code == 2
        assert [file["path"] for file in ran.json["files"]] == ["refused.yaml"]
        assert [file["path"] for file in ran.json["summary"]["skipped"]] == [path]
        assert ran.err

    def test_a_file_over_the_limit_is_wrong_usage(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "big.yaml").write_bytes(b"#" * 1_000_001)
        assert command("check", "big.yaml").code == 2


class TestExitCode:
    @pytest.mark.parametrize(
        ("options", "code"),
        [
            (("fine.yaml",), 0),
            (("hint.yaml",), 0),
            (("typo.yaml",), 0),
            (("refused.yaml",), 1),
            (("fine.yaml", "refused.yaml"), 1),
            (("refused.yaml", "--ignore", "GL"), 1),
            (("refused.yaml", "gone.yaml"), 2),
            (("--select", "none", "refused.yaml"), 2),
            ((), 2),
        ],
    )
    @pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
    def test_it_says_whether_the_news_are_bad(
        self, command: Command, options: tuple[str, ...], code: int, form: str
    ) -> None:
        assert command("check", "--format", form, *options).code == code

    def test_sarif_is_one_log_and_github_one_line_a_finding(self, command: Command) -> None:
        log = command("check", "--format", "sarif", "hint.yaml", "refused.yaml").json
        codes = {result["ruleId"] for result in log["runs"][0]["results"]}
        lines = command("check", "--format", "github", "hint.yaml", "refused.yaml").out.splitlines()
        assert len(lines) == len(log["runs"][0]["results"])
        assert {code for code in codes if not any(code in line for line in lines)} == set()

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_language_says_the_same_findings(self, command: Command, language: str) -> None:
        english = command("check", "--format", "json", "hint.yaml", "typo.yaml", "refused.yaml").json
        other = command(
            "check", "--lang", language, "--format", "json", "hint.yaml", "typo.yaml", "refused.yaml"
        ).json
        said = ("message", "help", "related")
        for one, two in zip(english["findings"], other["findings"], strict=True):
            assert {key: one[key] for key in one if key not in said} == {
                key: two[key] for key in two if key not in said
            }
            assert (one["message"] == two["message"]) == (language == "en")
        assert other["files"] == english["files"]
        text = command("check", "--lang", language, "hint.yaml", "typo.yaml", "refused.yaml").out
        assert all("GL" not in line or columns(line) > 0 for line in text.splitlines())


OPTIONS = (
    *(
        "select",
        "extend-select",
        "ignore",
        "env",
        "plugin-args",
        "plugin-version",
        "node",
        "kind",
        "lang",
        "deployer",
    ),
    "format",
)
HOSTILE = (
    *(
        b"\xff\xfe",
        b"\x1b]0;x\x07",
        "設\u202e定".encode(),
        b"A=\xff",
        b"PASS_DEVICE_SPECS=\x1b[2J",
        b"%s{x}",
        b"'\"",
        b"-",
    ),
    *(b"", b"a" * 5000, b"--", b"\n\n", b"\x00"),
)


@pytest.mark.skipif(os.name == "nt", reason="arguments are bytes on POSIX only")
@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("option", [*OPTIONS, ""])
def test_bytes_of_any_kind_are_answered(command: Command, option: str, value: bytes) -> None:
    text = os.fsdecode(value)
    ran = command("check", "hint.yaml", f"--{option}={text}" if option else text, stdin=b"")
    assert ran.code in (0, 1, 2)
    assert (ran.code == 2) == bool(ran.err)
    assert not {"\x1b", "\x07", "\x00", "\u202e"} & {*ran.out, *ran.err}


@pytest.mark.skipif(os.name == "nt", reason="arguments are bytes on POSIX only")
@pytest.mark.parametrize("option", [b"--select=\xff\x1b", b"--env=PASS_DEVICE_SPECS=\xff", b"\xff.yaml"])
def test_the_real_command_answers_in_utf_8_without_a_traceback(tmp_path: Path, option: bytes) -> None:
    line = [sys.executable.encode(), b"-m", b"labs.cli", b"check", b"hint.yaml", option]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True)
    assert ran.returncode in (1, 2)
    said = (ran.stdout + ran.stderr).decode("utf-8")
    assert "Traceback" not in said
    assert "\\udcff" in said


def test_json_of_a_path_that_is_no_text_can_be_read(tmp_path: Path) -> None:
    if os.name == "nt" or sys.platform == "darwin":
        pytest.skip("file names are bytes on Linux only")
    name = b"\xff.yaml"
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))).write_text(HINT, "utf-8")
    for form in ("json", "sarif"):
        line = [sys.executable.encode(), b"-m", b"labs.cli", b"check", b"--format=" + form.encode(), name]
        ran = subprocess.run(
            line, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True
        )
        assert ran.stderr == b""
        assert json.loads(ran.stdout)
