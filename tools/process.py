"""Programs that are started, and the one way in which a command fails."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tools import paths

CommandLine = Sequence[str | Path]

INSTALL_LOG = paths.CACHE / "install.log"
INSTALL_LOG_BYTES = 1_000_000
"""The size from which the log is begun anew."""
LAST_LINES = 10

REMEDY = (
    "If the network is at fault, name your mirror (PIP_INDEX_URL, UV_DEFAULT_INDEX, NPM_CONFIG_REGISTRY), your proxy "
    "(HTTPS_PROXY) or your authority's certificate (PIP_CERT, SSL_CERT_FILE, NODE_EXTRA_CA_CERTS); "
    "then run the same command again."
)


class Failure(Exception):
    """What stops a command, said to whoever called it: what is the matter, and what to do."""


def say(sentence: str) -> None:
    """Tells the terminal at once, also through a pipe."""
    print(sentence, flush=True)


def environment() -> dict[str, str]:
    """The environment of everything that is started: as here, with the project's own programs first."""
    own = {
        "PATH": os.pathsep.join([str(paths.VENV_BIN), os.environ.get("PATH", "")]),
        "VIRTUAL_ENV": str(paths.VENV),
        "PYTHONUTF8": "1",
        "PIP_USER": "0",
        "NO_MKDOCS_2_WARNING": "1",
    }
    return {**os.environ, **own}


def run(command: CommandLine, **extra_environment: str) -> int:
    """Runs a command in the project's root, its output going where ours goes; the answer is its exit code."""
    return subprocess.run(command, cwd=paths.ROOT, env={**environment(), **extra_environment}).returncode


def output_of(command: CommandLine) -> str | None:
    """The first line that a program prints; None where it cannot be run or fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=30, env=environment()
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return (done.stdout.splitlines() or [""])[0].strip() if done.returncode == 0 else None


def install(what: str, command: CommandLine, **extra_environment: str) -> None:
    """Runs an installer with its output in a log. Raises Failure with its last lines and a remedy."""
    INSTALL_LOG.parent.mkdir(exist_ok=True)
    done = subprocess.run(
        command,
        cwd=paths.ROOT,
        env={**environment(), **extra_environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    is_full = INSTALL_LOG.exists() and INSTALL_LOG.stat().st_size >= INSTALL_LOG_BYTES
    with INSTALL_LOG.open("w" if is_full else "a", encoding="utf-8") as log:
        log.write(f"$ {' '.join(map(str, command))}\n{done.stdout}\n")
    if done.returncode != 0:
        last = "\n".join(f"    {line}" for line in done.stdout.splitlines()[-LAST_LINES:])
        raise Failure(
            f"{what} could not be installed. The installer's last lines (all of them: "
            f"{paths.from_root(INSTALL_LOG)}):\n{last}\n{REMEDY}"
        )
