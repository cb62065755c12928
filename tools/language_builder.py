"""Builds languages of the site one by one, in a process that stays: `tools.language_pages`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tools import paths
from tools.process import CommandLine, environment
from tools.site import put_in_place


class LanguageBuilder:
    """Builds into a folder for each language below `folder`. A context, which ends the process."""

    def __init__(self, folder: Path, lead: str) -> None:
        self._folder = folder
        self._lead = lead
        self._process: subprocess.Popen[str] | None = None

    def build(self, language: str) -> bool:
        """Puts a language's pages in the place of its last ones, if the build succeeds; says whether it did."""
        if self._process is None:
            self._process = self._start()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._folder.mkdir(parents=True, exist_ok=True)
        fresh = self._folder / f"{language}.new"
        try:
            print(language, fresh, file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if answer == "built\n":
            put_in_place(fresh, self._folder / language)
            return True
        shutil.rmtree(fresh, ignore_errors=True)
        if answer == "":  # it ended: the code or mkdocs.yml does not load
            self.forget()
        return False

    def forget(self) -> None:
        """Has the next build read code and settings anew."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def __enter__(self) -> LanguageBuilder:
        return self

    def __exit__(self, *_: object) -> None:
        self.forget()

    def _start(self) -> subprocess.Popen[str]:
        command: CommandLine = [paths.VENV_PYTHON, "-m", "tools.language_pages", self._lead]
        return subprocess.Popen(
            command,
            cwd=paths.ROOT,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
