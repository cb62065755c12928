"""`gpulab check --fix` and `--diff`: safe fixes alone, and every other byte of the files as it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.unit.edges.conftest import Command

CASE = """\
# メモ: 共有 값
version: v1


Sharing:   # 大文字
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
    - {name: nvidia.com/gpu,   replicas: 4}  # 끝
"""
MENDED = CASE.replace("Sharing:", "sharing:")
"""A key in another case: the one safe fix, and it keeps what the file does."""


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("final", [True, False])
def test_every_other_byte_stays(
    command: Command, tmp_path: Path, ending: str, mark: str, final: bool
) -> None:
    before, after = ((mark + text).replace("\n", ending) for text in (CASE, MENDED))
    if not final:
        before, after = before.removesuffix(ending), after.removesuffix(ending)
    path = written(tmp_path / "設定 값.yaml", before)
    ran = command("check", "--fix", path.name)
    assert path.read_bytes() == after.encode()
    assert ran.code == 0
    assert "設定 값.yaml:5: fixed: GL10" in ran.err


REMOVED = """\
version: v1
flags:
  migStrategy: none
  migStrategy: none
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - {name: nvidia.com/gpu, replicas: 4}
"""


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_line_that_goes_takes_its_whole_line_break_along(
    command: Command, tmp_path: Path, ending: str
) -> None:
    path = written(tmp_path / "a.yaml", REMOVED.replace("\n", ending))
    command("check", "--fix", "a.yaml")
    once = REMOVED.replace("  migStrategy: none\n", "", 1)
    assert path.read_bytes().decode() == once.replace("\n", ending)


def test_what_was_mended_is_not_told_as_left(command: Command, tmp_path: Path) -> None:
    written(tmp_path / "a.yaml", CASE)
    assert "key-case" in command("check", "a.yaml").out
    assert "key-case" not in command("check", "--fix", "a.yaml").out
    assert command("check", "--fix", "a.yaml").err == ""


def test_a_fix_that_changes_what_the_file_does_is_left_to_the_reader(
    command: Command, tmp_path: Path
) -> None:
    text = "version: v1\nsharing:\n  timeSlicing:\n    resources:\n    - name: nvidia.com/gpu\n      replicas: 4\n"
    path = written(tmp_path / "a.yaml", text)
    ran = command("check", "--fix", "--format", "json", "a.yaml")
    assert "GL214" in ran.codes
    assert [one["fix"]["safe"] for one in ran.json["findings"] if one["code"] == "GL214"] == [False]
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_is_judged_and_left_alone(command: Command, tmp_path: Path, coding: str) -> None:
    mark = {"utf-16": b"", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}[coding]
    content = mark + CASE.encode(coding)
    path = written(tmp_path / "a.yaml", content)
    ran = command("check", "--fix", "--format", "json", "a.yaml")
    assert path.read_bytes() == content
    assert ran.json["files"][0]["documents"][0]["loads"] is True
    assert command("check", "--diff", "a.yaml").out == ""


def test_a_config_in_a_config_map_is_mended_where_it_stands(command: Command, tmp_path: Path) -> None:
    block = "".join(f"    {line}\n" for line in CASE.splitlines())
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: 共有\ndata:\n  default: |\n{block}"
    path = written(tmp_path / "map.yaml", text)
    command("check", "--fix", "map.yaml")
    assert path.read_text("utf-8") == text.replace("    Sharing:", "    sharing:")


def test_a_diff_writes_nothing_and_shows_what_would_change(command: Command, tmp_path: Path) -> None:
    path = written(tmp_path / "a.yaml", CASE.replace("\n", "\r\n"))
    before = path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino
    for options in (("--diff",), ("--fix", "--diff")):
        ran = command("check", *options, "a.yaml")
        lines = ran.out.splitlines()
        assert lines[:2] == ["--- a/a.yaml", "+++ b/a.yaml"]
        assert [line for line in lines[3:] if line[0] in "+-"] == [
            "-Sharing:   # 大文字",
            "+sharing:   # 大文字",
        ]
        assert "\ufffd" not in ran.out
    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) == before


def test_a_diff_says_where_no_newline_ends_the_file(command: Command, tmp_path: Path) -> None:
    written(tmp_path / "a.yaml", "version: v1\nSharing: {}")
    lines = command("check", "--diff", "a.yaml").out.splitlines()
    assert lines[-4:] == [
        "-Sharing: {}",
        "\\ No newline at end of file",
        "+sharing: {}",
        "\\ No newline at end of file",
    ]


def test_nothing_to_mend_is_no_diff_and_no_write(command: Command, tmp_path: Path) -> None:
    path = written(tmp_path / "a.yaml", MENDED)
    inode = path.stat().st_ino
    assert command("check", "--diff", "a.yaml") == (0, "", "")
    command("check", "--fix", "a.yaml")
    assert path.stat().st_ino == inode


def test_a_read_only_file_stays_as_it_is(command: Command, tmp_path: Path) -> None:
    path = written(tmp_path / "a.yaml", CASE)
    path.chmod(0o444)
    ran = command("check", "--fix", "a.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("a.yaml can't be written: ")
    assert path.read_text("utf-8") == CASE
    assert [file.name for file in tmp_path.iterdir()] == ["a.yaml"]


def test_mode_and_symbolic_link_stay(command: Command, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = written(tmp_path / "real" / "config.yaml", CASE)
    real.chmod(0o640)
    link = tmp_path / "link.yaml"
    link.symlink_to(Path("real") / "config.yaml")
    command("check", "--fix", "link.yaml")
    assert (link.is_symlink(), os.readlink(link)) == (True, os.path.join("real", "config.yaml"))
    assert (real.read_text("utf-8"), real.stat().st_mode & 0o777) == (MENDED, 0o640)
    assert [file.name for file in real.parent.iterdir()] == ["config.yaml"]


def test_a_write_that_fails_leaves_the_file_and_no_other(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "a.yaml", CASE)

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    ran = command("check", "--fix", "a.yaml")
    assert (ran.code, ran.err) == (2, "a.yaml can't be written: No space left on device. It is as it was.\n")
    assert path.read_text("utf-8") == CASE
    assert [file.name for file in tmp_path.iterdir()] == ["a.yaml"]


def test_standard_input_is_judged_and_cannot_be_mended(command: Command, tmp_path: Path) -> None:
    ran = command("check", "--fix", "--format", "json", "-", stdin=CASE.encode())
    assert "Standard input" in ran.err
    assert "key-case" in [one["slug"] for one in ran.json["findings"]]
    diff = command("check", "--diff", "-", stdin=CASE.encode())
    assert "+sharing:   # 大文字" in diff.out


def test_files_beside_standard_input_are_mended_and_told_as_they_now_are(
    command: Command, tmp_path: Path
) -> None:
    path = written(tmp_path / "a.yaml", CASE)
    ran = command("check", "--fix", "--format", "json", "a.yaml", "-", stdin=CASE.encode())
    assert path.read_text("utf-8") == MENDED
    assert [one["path"] for one in ran.json["findings"] if one["slug"] == "key-case"] == ["-"]
    assert "a.yaml:5: fixed: " in ran.err


def test_several_files_are_mended_each(command: Command, tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        written(tmp_path / name, CASE)
    ran = command("check", "--fix", ".")
    assert [(tmp_path / name).read_text("utf-8") for name in ("a.yaml", "b.yaml")] == [MENDED, MENDED]
    assert ran.err.count("fixed: ") == 2
