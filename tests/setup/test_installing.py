"""Set-up happens once, mends what an interrupted one left, and puts every failure in a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import dev

Installed = list[str]


@pytest.fixture
def installed(project: Path, monkeypatch: pytest.MonkeyPatch) -> Installed:
    """Names what would be installed, without uv on PATH, and makes a .venv/ that has a Python and pip."""
    names: Installed = []

    def record(what: str, command: dev.Command, **environment: str) -> None:
        names.append(what)
        if what == "A virtual environment":
            dev.VENV_BIN.mkdir(parents=True, exist_ok=True)
            dev.VENV_PYTHON.symlink_to(sys.executable)

    monkeypatch.setattr(dev, "install", record)
    monkeypatch.setattr("shutil.which", lambda name, path=None: None)
    return names


EVERYTHING = ["A virtual environment", "The Python packages", "gpulab"]


class TestPython:
    def test_a_fresh_folder_gets_everything_once(self, installed: Installed) -> None:
        dev.set_up_python()
        dev.set_up_python()
        assert installed == EVERYTHING

    def test_a_changed_lock_is_installed_into_the_same_environment(self, installed: Installed) -> None:
        dev.set_up_python()
        dev.REQUIREMENTS.write_text(dev.REQUIREMENTS.read_text("utf-8") + "# changed\n", "utf-8")
        mark = dev.VENV / "kept"
        mark.touch()
        dev.set_up_python()
        assert installed[len(EVERYTHING) :] == ["The Python packages", "gpulab"]
        assert mark.exists()

    def test_a_changed_tool_setting_installs_nothing(self, installed: Installed) -> None:
        dev.set_up_python()
        declaration = dev.ROOT / "pyproject.toml"
        declaration.write_text(
            declaration.read_text("utf-8").replace("line-length = 110", "line-length = 100"), "utf-8"
        )
        dev.set_up_python()
        assert installed == EVERYTHING

    def test_a_moved_folder_is_set_up_again(
        self, installed: Installed, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = dev.python_inputs()
        monkeypatch.setattr(dev, "ROOT", project / "elsewhere")
        (project / "elsewhere").mkdir()
        (project / "pyproject.toml").rename(project / "elsewhere" / "pyproject.toml")
        assert dev.python_inputs() != before

    def test_an_environment_without_a_python_is_made_anew(self, installed: Installed) -> None:
        leftover = dev.VENV / "lib" / "half-made"
        leftover.mkdir(parents=True)
        dev.set_up_python()
        assert installed == EVERYTHING
        assert not leftover.exists()

    def test_a_failed_set_up_is_tried_again(
        self, installed: Installed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        record = dev.install

        def fail(what: str, command: dev.Command, **environment: str) -> None:
            if what == "gpulab":
                raise dev.Failure("no")
            record(what, command)

        with monkeypatch.context() as failing:
            failing.setattr(dev, "install", fail)
            with pytest.raises(dev.Failure):
                dev.set_up_python()
        dev.set_up_python()
        assert installed[-1] == "gpulab"

    def test_an_environment_in_which_installing_was_cut_off_is_made_anew(
        self, installed: Installed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def cut_off(installer: dev.Command) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as interrupted:
            interrupted.setattr(dev, "install_locked", cut_off)
            with pytest.raises(KeyboardInterrupt):
                dev.set_up_python()
        dev.set_up_python()
        dev.set_up_python()
        assert installed == ["A virtual environment", *EVERYTHING]

    def test_pip_takes_over_where_uv_fails(
        self, installed: Installed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        record = dev.install

        def fail_with_uv(what: str, command: dev.Command, **environment: str) -> None:
            if command[0] == "/bin/uv":
                raise dev.Failure("uv knows no mirror.")
            record(what, command)

        monkeypatch.setattr(dev, "install", fail_with_uv)
        monkeypatch.setattr("shutil.which", lambda name, path=None: "/bin/uv" if name == "uv" else None)
        dev.set_up_python()
        assert installed == EVERYTHING
        assert "uv did not do it, so pip will try: uv knows no mirror." in capsys.readouterr().out

    def test_a_python_without_venv_is_told_which_package_to_install(
        self, installed: Installed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(dev, "can_make_venv", lambda: False)
        with pytest.raises(
            dev.Failure, match=rf"apt-get install python3\.{sys.version_info[1]}-venv\) or install uv"
        ):
            dev.set_up_python()


class TestNode:
    @pytest.mark.skipif(os.name == "nt", reason="the stand-ins are shell scripts")
    @pytest.mark.parametrize(
        ("version", "is_taken"), [("v18.20.8", False), ("v20.0.0", True), ("v24.1.0", True)]
    )
    def test_only_a_new_enough_node_with_npm_is_taken(
        self, tmp_path: Path, version: str, is_taken: bool
    ) -> None:
        for name in ("node", "npm"):
            program = tmp_path / name
            program.write_text(f"#!/bin/sh\necho {version}\n", "utf-8")
            program.chmod(0o755)
        assert (dev.node_in(str(tmp_path)) is not None) == is_taken
        (tmp_path / "npm").unlink()
        assert dev.node_in(str(tmp_path)) is None

    def test_packages_are_installed_again_only_after_a_change(
        self, installed: Installed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(dev, "find_node", lambda: dev.Node("node", "npm"))
        dev.NODE_MODULES.mkdir()
        dev.set_up_node()
        dev.set_up_node()
        assert installed == ["The browser's packages"]
        dev.PACKAGE_LOCK.write_text(dev.PACKAGE_LOCK.read_text("utf-8") + "\n", "utf-8")
        dev.set_up_node()
        assert installed == ["The browser's packages"] * 2


class TestProse:
    READERS = ("What reads the Korean prose", "What reads the Japanese prose")

    @pytest.fixture(autouse=True)
    def set_up(self, installed: Installed, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(dev, "find_node", lambda: dev.Node("node", "npm"))
        (project / ".npmrc").touch()
        dev.set_up_python()
        installed.clear()

    def test_its_readers_are_not_part_of_set_up_and_come_once(self, installed: Installed) -> None:
        dev.set_up_prose()
        dev.set_up_prose()
        assert installed == list(self.READERS)

    @pytest.mark.parametrize("changed", [0, 1])
    def test_a_changed_lock_brings_its_reader_anew(self, installed: Installed, changed: int) -> None:
        dev.set_up_prose()
        lock = (dev.REQUIREMENTS_PROSE, dev.PROSE_LOCK)[changed]
        lock.write_text(lock.read_text("utf-8") + "\n", "utf-8")
        dev.set_up_prose()
        assert installed == [*self.READERS, self.READERS[changed]]


class TestFailures:
    @pytest.mark.parametrize(
        ("output", "reason"),
        [
            (
                "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...)'\n"
                "ERROR: No matching distribution found for click==8.5.1",
                dev.REGISTRY_UNREACHABLE,
            ),
            (
                "ERROR: Could not find a version that satisfies the requirement click (from versions: none)\n"
                "ERROR: No matching distribution found for click==8.5.1",
                dev.REGISTRY_UNREACHABLE,
            ),
            ("error: Failed to fetch: `simpy`\n  Caused by: dns error", dev.REGISTRY_UNREACHABLE),
            ("npm error code EAI_AGAIN", dev.REGISTRY_UNREACHABLE),
            ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]'))", "PIP_CERT"),
            ("npm error code UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "NODE_EXTRA_CA_CERTS"),
            ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "in the lock file"),
            ("npm error code EINTEGRITY", "in the lock file"),
            ("OSError: [Errno 28] No space left on device", "the disk is full"),
            ("ERROR: No matching distribution found for simpy==4.1.2", "bring the mirror up to date"),
            ("something\n  of its own  \n", 'its last words: "of its own"'),
            ("", "read .cache"),
        ],
    )
    def test_what_an_installer_says_becomes_a_sentence_with_a_remedy(self, output: str, reason: str) -> None:
        assert reason in dev.reason_of(output)
        assert dev.reason_of(output).endswith("run the same command again")

    def test_an_unreachable_registry_is_one_sentence_and_a_log(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dev.find_node.cache_clear()
        npm = dev.find_node().npm
        nobody = {
            "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9/",
            "NPM_CONFIG_FETCH_RETRIES": "0",
            "NPM_CONFIG_CACHE": str(project / "empty"),
        }
        with pytest.raises(dev.Failure) as failure:
            dev.install("The browser's packages", [npm, "ci"], **nobody)
        assert (
            str(failure.value)
            == f"The browser's packages could not be installed: {dev.REGISTRY_UNREACHABLE}."
        )
        assert "ECONNREFUSED" in dev.INSTALL_LOG.read_text("utf-8")

    @pytest.mark.parametrize(
        ("error", "sentence"),
        [
            (dev.Failure("The disk is full."), "dev.py: The disk is full.\n"),
            (
                PermissionError(13, "Permission denied", "site"),
                "dev.py: Permission denied (site): mend that, then run the same command again.\n",
            ),
        ],
    )
    def test_a_command_that_fails_says_one_sentence_and_no_traceback(
        self,
        error: Exception,
        sentence: str,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        def fail() -> None:
            raise error

        monkeypatch.setattr(dev, "set_up", fail)
        assert dev.main(["build"]) == 1
        assert capsys.readouterr().err == sentence


class TestTwoAtOnce:
    def test_the_second_waits_for_the_first(self, project: Path) -> None:
        second = (
            "import sys, pathlib; sys.path.insert(0, sys.argv[1]); import dev\n"
            "dev.CACHE = pathlib.Path(sys.argv[2])\n"
            "with dev.alone('setup'): print('through', flush=True)"
        )
        root = str(Path(dev.__file__).parent)
        with dev.alone("setup"):
            other = subprocess.Popen(
                [sys.executable, "-c", second, root, str(dev.CACHE)], stdout=subprocess.PIPE, text=True
            )
            assert other.stdout is not None
            assert "waiting for it" in other.stdout.readline()
            time.sleep(0.5)
            assert other.poll() is None
        rest, _ = other.communicate(timeout=20)
        assert rest == "through\n"


class TestChromium:
    def test_a_wrong_choice_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GPULAB_CHROMIUM", "no/such/chromium")
        with pytest.raises(dev.Failure, match='GPULAB_CHROMIUM is "no/such/chromium", which does not start'):
            dev.find_chromium()

    def test_a_program_that_does_not_run_is_passed_over(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        runs: Callable[[str], bool] = lambda program: program == "/opt/google-chrome"  # noqa: E731
        monkeypatch.delenv("GPULAB_CHROMIUM", raising=False)
        monkeypatch.setattr(dev, "starts", runs)
        monkeypatch.setattr("shutil.which", lambda name, path=None: f"/opt/{name}")
        assert dev.find_chromium() == "/opt/google-chrome"

    @pytest.mark.skipif(os.name == "nt", reason="Debian's packages are for Debian")
    @pytest.mark.parametrize("what_comes", ["#!/bin/sh\necho Chromium 156", "#!/bin/sh\nexit 127"])
    def test_on_debian_root_gets_debians_own(
        self, what_comes: str, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A stand-in for apt-get installs a stand-in for Chromium, one that starts or one that does not."""
        programs = project / "bin"
        programs.mkdir()
        chromium = programs / "chromium"
        apt = programs / "apt-get"
        apt.write_text(
            f"#!/bin/sh\n[ $1 = install ] || exit 0\n"
            f"printf '{what_comes}' > {chromium}; /bin/chmod +x {chromium}\n",
            "utf-8",
        )
        apt.chmod(0o755)
        monkeypatch.delenv("GPULAB_CHROMIUM", raising=False)
        monkeypatch.setenv("PATH", str(programs))
        monkeypatch.setattr(dev, "is_debian", lambda: True)
        monkeypatch.setattr("os.geteuid", lambda: 0)
        if "echo" in what_comes:
            assert dev.ensure_chromium() == str(chromium)
        else:
            with pytest.raises(dev.Failure, match="does not start: install Chromium or Chrome"):
                dev.ensure_chromium()
        assert "chromium fonts-noto-cjk" in dev.INSTALL_LOG.read_text("utf-8")
