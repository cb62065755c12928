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
        self._parts, self._index, self._stopped = threading.Event(), threading.Event(), threading.Event()
        self._program: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()  # so that no program starts after all were ended
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def make_parts(self) -> None:
        """Makes anew what a change of code has made old: all but the index."""
        self._end_program(self._parts)
        self._wanted.set()

    def make_index(self) -> None:
        """Makes the index over the pages as they are now. To be called after builds, the last of which it must see."""
        self._index.set()
        self._wanted.set()

    def stop(self) -> None:
        """Ends the program that is at work, after which none is started, and the thread."""
        self._end_program(self._stopped)
        self._wanted.set()
        self._thread.join()

    def _end_program(self, reason: threading.Event) -> None:
        with self._starting:
            reason.set()
            if self._program is not None:
                self._program.terminate()

    def _work(self) -> None:
        while self._wanted.wait() and not self._stopped.is_set():
            self._wanted.clear()
            for wanted, make in ((self._parts, self._make_parts), (self._index, self._make_index)):
                if wanted.is_set():
                    wanted.clear()
                    try:
                        make()
                    except (Failure, OSError) as failure:
                        if not self._stopped.is_set():
                            say(f"dev.py: {failure}")

    def _make_parts(self) -> None:
        before = _times()
        site.pack()
        if _times() != before:
            self.fresh.set()
        before = _times()
        if self._runs([paths.VENV_PYTHON, "-m", "hooks.stops"]) and _times() != before:
            self.fresh.set()

    def _make_index(self) -> None:
        """Makes the index over the pages of all languages."""
        pages = self._folder / "pages"
        shutil.rmtree(pages, ignore_errors=True)
        try:
            for language in site.LANGUAGES:
                self._copy_pages(self._folder / language, pages)
        except FileNotFoundError:
            return  # a language was built meanwhile, after which the index is asked for again
        if self._runs([paths.VENV_PYTHON, "-m", "hooks.search", pages]):
            site.put_in_place(pages, self._folder / "search")

    @staticmethod
    def _copy_pages(built: Path, pages: Path) -> None:
        for page in built.rglob("*.html"):
            copy = pages / page.relative_to(built)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, copy)

    def _runs(self, command: CommandLine) -> bool:
        """Whether a program comes to a good end, and nothing else is wanted by then."""
        with self._starting:
            if self._is_outdated():
                return False
            self._program = subprocess.Popen(command, cwd=paths.ROOT, env=environment())
        return self._program.wait() == 0 and not self._is_outdated()

    def _is_outdated(self) -> bool:
        return self._parts.is_set() or self._stopped.is_set()


def _times() -> list[int]:
    """When each of the parts was made that pages are built with."""
    parts = [paths.CACHE / name for name in ("runtime", "scripts", "editor", "stops")]
    return [part.stat().st_mtime_ns for part in parts if part.exists()]
