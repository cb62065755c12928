"""What pages of all languages load, made beside them while `dev.py serve` runs: it takes longer than pages do."""

from __future__ import annotations

import shutil
import subprocess
import threading
from pathlib import Path

from tools import paths, site
from tools.process import CommandLine, Failure, environment, say


class SharedParts:
    """Makes, in a thread of its own, the browser's Python and scripts, the labs' first answers and the search index.

    `fresh` is set where parts were made with which pages of the lead language are to be built again.
    """

    def __init__(self, folder: Path) -> None:
        self.fresh = threading.Event()
        self._folder = folder
        self._wanted = threading.Event()
        self._code = threading.Event()
        self._program: subprocess.Popen[bytes] | None = None
        threading.Thread(target=self._work, daemon=True).start()

    def make(self, code: bool) -> None:
        """Makes anew what a change has made old: the index, and where it was a change of code, all."""
        if code:
            self._code.set()
            self.stop()
        self._wanted.set()

    def stop(self) -> None:
        """Ends the program that is at work."""
        if self._program is not None:
            self._program.terminate()

    def _work(self) -> None:
        while self._wanted.wait():
            self._wanted.clear()
            try:
                if self._code.is_set():
                    self._code.clear()
                    self._make_parts()
                self._index()
            except (Failure, OSError) as failure:
                say(f"dev.py: {failure}")

    def _make_parts(self) -> None:
        before = _times()
        site.pack()
        if _times() != before:
            self.fresh.set()
        before = _times()
        if self._runs([paths.VENV_PYTHON, "-m", "hooks.stops"]) and _times() != before:
            self.fresh.set()

    def _index(self) -> None:
        """Makes the index over the pages of all languages, as they are now."""
        pages = self._folder / "pages"
        shutil.rmtree(pages, ignore_errors=True)
        for language in site.LANGUAGES:
            built = self._folder / language
            for page in built.rglob("*.html"):
                copy = pages / page.relative_to(built)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(page, copy)
        if self._runs([paths.VENV_PYTHON, "-m", "hooks.search", pages]):
            site.put_in_place(pages, self._folder / "search")

    def _runs(self, command: CommandLine) -> bool:
        """Whether a program comes to a good end, and nothing else is wanted by then."""
        if self._code.is_set():
            return False
        self._program = subprocess.Popen(command, cwd=paths.ROOT, env=environment())
        return self._program.wait() == 0 and not self._code.is_set()


def _times() -> list[int]:
    """When each of the parts was made that pages are built with."""
    parts = [paths.CACHE / name for name in ("runtime", "scripts", "editor", "stops")]
    return [part.stat().st_mtime_ns for part in parts if part.exists()]
