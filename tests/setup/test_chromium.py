"""A Chromium of the machine comes first; where there is none, root on Debian gets Debian's, others Playwright's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools import chromium, process
from tools.process import Failure


def test_a_wrong_choice_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPULAB_CHROMIUM", "no/such/chromium")
    with pytest.raises(Failure, match='GPULAB_CHROMIUM is "no/such/chromium", which does not start'):
        chromium.find_chromium()


def test_a_program_that_does_not_run_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPULAB_CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "starts", lambda program: program == "/opt/google-chrome")
    monkeypatch.setattr("shutil.which", lambda name, path=None: f"/opt/{name}")
    assert chromium.find_chromium() == "/opt/google-chrome"


@pytest.fixture
def bare(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with a folder of programs, in which nothing is yet."""
    programs = project / "bin"
    programs.mkdir()
    monkeypatch.delenv("GPULAB_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setattr(chromium, "PLACES", {})
    return programs


@pytest.mark.skipif(os.name == "nt", reason="Debian's packages are for Debian")
@pytest.mark.parametrize("what_comes", ["#!/bin/sh\necho Chromium 156", "#!/bin/sh\nexit 127"])
def test_on_debian_root_gets_debians_own(
    what_comes: str, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in for apt-get installs a stand-in for Chromium, one that starts or one that does not."""
    program = bare / "chromium"
    apt = bare / "apt-get"
    apt.write_text(
        f"#!/bin/sh\n[ $1 = install ] || exit 0\n"
        f"printf '{what_comes}' > {program}; /bin/chmod +x {program}\n",
        "utf-8",
    )
    apt.chmod(0o755)
    monkeypatch.setattr(chromium, "is_debian", lambda: True)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    if "echo" in what_comes:
        assert chromium.ensure_chromium() == str(program)
    else:
        with pytest.raises(Failure, match="does not start: install Chromium or Chrome"):
            chromium.ensure_chromium()
    assert "chromium fonts-noto-cjk" in process.INSTALL_LOG.read_text("utf-8")


def test_elsewhere_playwright_brings_its_own(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[str] = []

    def record(what: str, command: process.CommandLine) -> None:
        commands.append(" ".join(map(str, command[1:])))
        program = bare / "chromium"
        program.write_text("#!/bin/sh\necho Chromium 156", "utf-8")
        program.chmod(0o755)

    monkeypatch.setattr(chromium, "install", record)
    monkeypatch.setattr(chromium, "is_debian", lambda: False)
    assert chromium.ensure_chromium() == str(bare / "chromium")
    assert commands == ["-m playwright install chromium"]
