"""What pages of all languages load, made beside the pages while `dev.py serve` runs: it takes longer than they do."""

from __future__ import annotations

import shutil
import subprocess
import threading
from pathlib import Path

from tools import paths, site
from tools.process import CommandLine, Failure, environment, say


class SharedParts:
    """Makes, in a thread of its own, the browser's Python and editor, the labs' first answers and the search index.

    `fresh` is set whenever the lead language's pages are to be built again, to take up what was made.
    """

    def __init__(self, folder: Path) -> None:
        self.fresh = threading.Event()
        self._folder = folder
        self._wanted = threading.Event()
        self._program: subprocess.Popen[bytes] | None = None
        threading.Thread(target=self._work, daemon=True).start()

    def make(self) -> None:
        """Makes anew what a change has made old; what is being made is left unfinished."""
        self._wanted.set()
        self.stop()

    def stop(self) -> None:
        """Ends the program that is at work."""
        if self._program is not None:
            self._program.terminate()

    def _work(self) -> None:
        while self._wanted.wait():
            self._wanted.clear()
            try:
                site.pack()
                self.fresh.set()
                if self._runs([paths.VENV_PYTHON, "-m", "hooks.stops"]):
                    self.fresh.set()
                    if self._index():
                        say(
                            "What all languages share is up to date as well: labs, their first answers, search."
                        )
            except (Failure, OSError) as failure:
                say(f"dev.py: {failure}")

    def _index(self) -> bool:
        """Makes the index over the pages of all languages, as they are now."""
        pages = self._folder / "pages"
        shutil.rmtree(pages, ignore_errors=True)
        for language in site.LANGUAGES:
            built = self._folder / language
            for page in built.rglob("*.html"):
                copy = pages / page.relative_to(built)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(page, copy)
        if not self._runs([paths.VENV_PYTHON, "-m", "hooks.search", pages]):
            return False
        site.put_in_place(pages, self._folder / "search")
        return True

    def _runs(self, command: CommandLine) -> bool:
        """Whether a program comes to its end, well and before something else is wanted."""
        if self._wanted.is_set():
            return False
        self._program = subprocess.Popen(command, cwd=paths.ROOT, env=environment())
        return self._program.wait() == 0 and not self._wanted.is_set()
