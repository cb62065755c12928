"""`.venv/`: made with uv or venv, with the locked packages and gpulab in it."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tools import paths
from tools.process import CommandLine, Failure, environment, install, output_of, say
from tools.stamps import digest, is_stamped

LOCK = paths.REQUIREMENTS / "dev.txt"
STAMP = paths.VENV / "python.stamp"
UNFINISHED = paths.CACHE / "venv.unfinished"  # whose process installs, or was cut off at it


def set_up() -> None:
    """Makes .venv/ what its lock says; quick where it already is."""
    if paths.VENV_PYTHON.is_file() and is_stamped(STAMP, inputs()):
        return
    other = other_set_up()
    if other is not None:
        raise Failure(
            f"Process {other} is setting up .venv/: wait until it is done, then run the same command again. "
            f"If that is no dev.py, delete {paths.from_root(UNFINISHED)}."
        )
    say("Setting up Python in .venv/ (once, and again when a lock file changes).")
    STAMP.unlink(missing_ok=True)
    remove_unusable()
    paths.CACHE.mkdir(exist_ok=True)
    UNFINISHED.write_text(str(os.getpid()), encoding="utf-8")
    try:
        install_packages()
    except Failure:
        UNFINISHED.unlink()
        raise
    STAMP.write_text(inputs(), encoding="utf-8")
    UNFINISHED.unlink()


def other_set_up() -> int | None:
    """The process of another dev.py that installs into .venv/ now. On Windows none can be asked whether it runs."""
    stated = UNFINISHED.read_text("utf-8") if UNFINISHED.exists() else ""
    if not stated.isdecimal() or int(stated) == os.getpid() or os.name == "nt":
        return None
    try:
        os.kill(int(stated), 0)  # which asks and ends nothing
    except ProcessLookupError:
        return None
    except PermissionError:
        pass  # it runs, and is another user's
    return int(stated)


def hand_over(arguments: Sequence[str]) -> int:
    """Goes on as `python -m tools` inside .venv/; comes back where the system can't replace a process."""
    command = [str(paths.VENV_PYTHON), "-m", "tools", *arguments]
    os.chdir(paths.ROOT)
    if os.name != "nt":
        os.execve(command[0], command, environment())
    return subprocess.call(command, env=environment())


def inputs() -> str:
    """What .venv/ depends on: the lock, this Python, this folder, and how the package is declared."""
    declared = tomllib.loads((paths.ROOT / "pyproject.toml").read_text("utf-8"))
    package = json.dumps([declared["project"], declared["build-system"]], sort_keys=True)
    return digest(LOCK, package, ".".join(map(str, sys.version_info[:2])), str(paths.ROOT))


def install_packages() -> None:
    """Installs with uv; where there is none, or it fails (it may not know the mirror), with pip."""
    uv = shutil.which("uv")
    if uv is not None:
        try:
            _install_all(_uv(uv))
            return
        except Failure as failure:
            if not can_make_venv():
                raise
            say(f"uv did not do it, so pip will try. {failure}")
    _install_all(pip())


def _install_all(installer: CommandLine) -> None:
    install("The Python packages", [*installer, "--require-hashes", "-r", LOCK])
    install("gpulab", [*installer, "--no-deps", "--no-build-isolation", "-e", paths.ROOT])


def install_more(what: str, lock: Path) -> None:
    """Puts another lock's packages into a .venv/ that is set up."""
    uv = shutil.which("uv")
    install(what, [*(_uv(uv) if uv else pip()), "--require-hashes", "-r", lock])


def remove_unusable() -> None:
    """Clears a .venv/ of another Python, without one that runs, or in which installing was cut off."""
    query = "import sys; print('.'.join(map(str, sys.version_info[:2])))"
    version = ".".join(map(str, sys.version_info[:2]))
    cut_off = UNFINISHED.exists()
    if not paths.VENV.exists() or (not cut_off and output_of([paths.VENV_PYTHON, "-c", query]) == version):
        return
    try:
        shutil.rmtree(paths.VENV)
    except OSError as error:
        raise Failure(
            f"The old .venv/ cannot be removed ({error.strerror}: {error.filename}): close what uses it and "
            "delete the folder, then run the same command again."
        ) from error


def base_python() -> str:
    """The interpreter that a virtual environment is made from, also where this runs inside one."""
    return getattr(sys, "_base_executable", "") or sys.executable


def can_make_venv() -> bool:
    """Whether this Python is whole: Debian's comes without the modules that make a virtual environment."""
    return all(importlib.util.find_spec(module) for module in ("venv", "ensurepip"))


def _uv(uv: str) -> CommandLine:
    """How uv installs into .venv/, which it makes first if there is none."""
    if not paths.VENV_PYTHON.is_file():
        install("A virtual environment", [uv, "venv", "--no-project", "--python", base_python(), paths.VENV])
    return [uv, "pip", "install", "--python", paths.VENV_PYTHON]


def pip() -> CommandLine:
    """How pip installs into .venv/, which is made first, or gets a pip, if there is none."""
    pip: CommandLine = [paths.VENV_PYTHON, "-m", "pip", "--disable-pip-version-check"]
    if output_of([*pip, "--version"]) is None:
        if not can_make_venv():
            debian = f"apt-get install python3.{sys.version_info[1]}-venv"
            raise Failure(
                f"{base_python()} cannot make a virtual environment, as it has no venv or no ensurepip: "
                f"install them (Debian, Ubuntu: {debian}) or install uv, then run the same command again."
            )
        install("A virtual environment", [base_python(), "-m", "venv", paths.VENV])
    return [*pip, "install"]
