"""A project's own choices for `gpulab check`: which file counts, what each key does, and what a wrong entry is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.edges.conftest import Command

HINT = (
    "version: v1\nsharing:\n  timeSlicing:\n    resources:\n    - name: nvidia.com/gpu\n      replicas: 4\n"
)
NEWER = "version: v1\nflags:\n  plugin:\n    sharedDevicesAllocationPolicy: packed\n"
NODE = "gpus:\n- {name: Tesla T4, memoryMiB: 15360, computeCapability: '7.5'}\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(HINT, "utf-8")
    (tmp_path / "newer.yaml").write_text(NEWER, "utf-8")
    (tmp_path / "node.yaml").write_text(NODE, "utf-8")


def codes(command: Command, *arguments: str) -> list[str]:
    return sorted(command("check", "--format", "json", *arguments).codes)


class TestWhichFileCounts:
    def test_a_file_of_its_own_and_a_table_in_pyproject_say_the_same(
        self, command: Command, tmp_path: Path
    ) -> None:
        (tmp_path / ".gpulab.toml").write_text('ignore = ["GL214"]\n', "utf-8")
        assert codes(command, "a.yaml") == []
        (tmp_path / ".gpulab.toml").unlink()
        (tmp_path / "pyproject.toml").write_text('[tool.gpulab]\nignore = ["GL214"]\n', "utf-8")
        assert codes(command, "a.yaml") == []

    def test_the_own_file_goes_before_pyproject(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / ".gpulab.toml").write_text("", "utf-8")
        (tmp_path / "pyproject.toml").write_text('[tool.gpulab]\nignore = ["GL214"]\n', "utf-8")
        assert codes(command, "a.yaml") == ["GL214"]

    def test_the_nearest_counts_alone(
        self, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / ".gpulab.toml").write_text('ignore = ["GL214"]\n', "utf-8")
        inner = tmp_path / "team" / "configs"
        inner.mkdir(parents=True)
        monkeypatch.chdir(inner)
        assert codes(command, "../../a.yaml") == []
        (inner.parent / "pyproject.toml").write_text("[tool.other]\n", "utf-8")
        assert codes(command, "../../a.yaml") == []
        (inner.parent / "pyproject.toml").write_text('[tool.gpulab]\nextend-select = ["GL221"]\n', "utf-8")
        assert codes(command, "../../a.yaml") == ["GL214", "GL221"]

    @pytest.mark.parametrize("text", ["", "[tool]\n", "tool = 3\n", "[project]\nname = 'x'\n"])
    def test_a_pyproject_that_says_nothing_changes_nothing(
        self, command: Command, tmp_path: Path, text: str
    ) -> None:
        (tmp_path / "pyproject.toml").write_text(text, "utf-8")
        assert codes(command, "a.yaml") == ["GL214"]


class TestKeys:
    @pytest.mark.parametrize(
        ("text", "arguments", "expected"),
        [
            ('select = ["GL1"]', (), []),
            ('select = ["GL1"]', ("--select", "GL214"), ["GL214"]),
            ('select = ["GL1"]', ("--extend-select", "GL214"), ["GL214"]),
            ('extend-select = ["time-slicing-isolates-nothing"]', (), ["GL214", "GL221"]),
            ('extend-select = ["GL221"]', ("--extend-select", "GL222"), ["GL214", "GL221", "GL222"]),
            ('ignore = ["GL2"]', (), []),
            ('ignore = ["GL221"]', ("--ignore", "GL214"), []),
            ('ignore = ["GL214"]', ("--select", "GL214"), []),
        ],
    )
    def test_rules_are_chosen(
        self, command: Command, tmp_path: Path, text: str, arguments: tuple[str, ...], expected: list[str]
    ) -> None:
        (tmp_path / ".gpulab.toml").write_text(text, "utf-8")
        assert codes(command, *arguments, "a.yaml") == expected

    @pytest.mark.parametrize(
        ("text", "severity"),
        [
            ('GL214 = "error"', "error"),
            ('requests-above-one-accepted = "error"', "error"),
            ('GL2 = "error"', "error"),
            ('ALL = "warning"', "warning"),
            ('ALL = "error"\nGL2 = "info"', "info"),
            ('GL2 = "error"\nGL21 = "warning"\nGL214 = "info"', "info"),
            ('GL3 = "error"', "info"),
        ],
    )
    def test_a_severity_is_by_code_slug_or_group_and_decides_the_exit_code(
        self, command: Command, tmp_path: Path, text: str, severity: str
    ) -> None:
        (tmp_path / ".gpulab.toml").write_text(f"[severity]\n{text}\n", "utf-8")
        ran = command("check", "--format", "json", "a.yaml")
        assert [one["severity"] for one in ran.json["findings"]] == [severity]
        assert ran.code == (1 if severity == "error" else 0)

    def test_a_version_is_taken_and_the_command_line_goes_over_it(
        self, command: Command, tmp_path: Path
    ) -> None:
        (tmp_path / ".gpulab.toml").write_text('plugin-version = "0.19"\n', "utf-8")
        assert codes(command, "newer.yaml") == ["GL225"]
        assert codes(command, "--plugin-version", "0.20", "newer.yaml") == []

    def test_a_deployer_is_taken_and_the_command_line_goes_over_it(
        self, command: Command, tmp_path: Path
    ) -> None:
        (tmp_path / "mps.yaml").write_text(HINT.replace("timeSlicing", "mps"), "utf-8")
        assert command("check", "mps.yaml").code == 1
        (tmp_path / ".gpulab.toml").write_text('deployer = "helm"\n', "utf-8")
        assert command("check", "mps.yaml").code == 0
        assert command("check", "--deployer", "static", "mps.yaml").code == 1

    def test_a_node_is_relative_to_the_file_that_names_it(
        self, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / ".gpulab.toml").write_text('node = "node.yaml"\n', "utf-8")
        (tmp_path / "sub").mkdir()
        monkeypatch.chdir(tmp_path / "sub")
        assert "nvidia.com/gpu: 4" in command("check", "../a.yaml").out

    def test_a_node_may_be_one_of_the_samples(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / ".gpulab.toml").write_text('node = "a100-40gb-x4"\n', "utf-8")
        assert "nvidia.com/gpu: 16" in command("check", "a.yaml").out


class TestWrongEntries:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("slect = []", "the key slect is not known. Did you mean select?"),
            ("あ = 1", "is no TOML"),
            ('"設定" = 1', "the key 設定 is not known. Allowed: select"),
            ('select = "GL2"', "select must be a list"),
            ("select = [1]", "select must be a list"),
            ("extend-select = {}", "extend-select must be a list"),
            ("ignore = [[]]", "ignore must be a list"),
            ("ignore = true", "ignore must be a list"),
            ("severity = []", "severity gives each rule one of: error, warning, info"),
            ('severity = "error"', "severity gives each rule one of"),
            ('[severity]\nGL214 = "fatal"', "severity gives each rule one of"),
            ("[severity]\nGL214 = []", "severity gives each rule one of"),
            ("[severity]\nGL214 = {a = 1}", "severity gives each rule one of"),
            ("[severity]\nGL214 = nan", "severity gives each rule one of"),
            ('deployer = "argo"', "deployer is one of: operator, helm, static"),
            ("deployer = []", "deployer is one of"),
            ("deployer = {}", "deployer is one of"),
            ("plugin-version = 0.19", "plugin-version is a text"),
            ('plugin-version = "new"', "new is no version"),
            ("node = 1", "node is a text"),
            ('node = "gone.yaml"', "gone.yaml can't be read"),
            ('node = "\\u0000"', "can't be read"),
            ('select = ["GL9999"]', "There is no rule GL9999"),
            ('[severity]\nGL9999 = "error"', "There is no rule GL9999"),
            ("select = [", "is no TOML"),
            ("a = 1\na = 2", "is no TOML"),
            ("x = " + "[" * 100_000, "is no TOML"),
            ("x" + ".x" * 5_000 + " = 1", "x"),
            ("\x00", "is no TOML"),
        ],
    )
    @pytest.mark.parametrize("shared", [False, True])
    def test_each_ends_the_command_with_a_sentence(
        self, command: Command, tmp_path: Path, text: str, words: str, shared: bool
    ) -> None:
        name, content = ".gpulab.toml", text
        if shared:
            name, content = (
                "pyproject.toml",
                f"[tool.gpulab]\n{text.replace('[severity]', '[tool.gpulab.severity]')}",
            )
        (tmp_path / name).write_text(content + "\n", "utf-8")
        ran = command("check", "a.yaml")
        assert (ran.code, ran.out) == (2, "")
        assert words in ran.err
        assert len(ran.err) < 20_000

    def test_bytes_that_are_no_text_are_told_with_their_line(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / ".gpulab.toml").write_bytes(b"select = []\nignore = ['\xff']\n")
        ran = command("check", "a.yaml")
        assert ran.code == 2
        assert "2" in ran.err

    @pytest.mark.parametrize("text", ["tool = {gpulab = 3}", "[tool]\ngpulab = []", '[tool]\ngpulab = "x"'])
    def test_a_table_that_is_none_is_told_its_keys(self, command: Command, tmp_path: Path, text: str) -> None:
        (tmp_path / "pyproject.toml").write_text(text, "utf-8")
        ran = command("check", "a.yaml")
        assert ran.code == 2
        assert "gpulab is no table. Its keys are: select" in ran.err
