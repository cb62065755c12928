"""The Chromium that pages are tested in: one on this machine, else Debian's, else Playwright's."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from tools import paths
from tools.process import Failure, install, output_of, say

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLACES = {
    "darwin": (
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "~/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    "win32": (
        r"%ProgramFiles%\Google\Chrome\Application\chrome.exe",
        r"%ProgramFiles(x86)%\Google\Chrome\Application\chrome.exe",
        r"%LocalAppData%\Google\Chrome\Application\chrome.exe",
        r"%LocalAppData%\Chromium\Application\chrome.exe",
    ),
}
PLAYWRIGHT_QUERY = (
    "from playwright.sync_api import sync_playwright as p\nwith p() as x: print(x.chromium.executable_path)"
)


def find_chromium() -> str | None:
    """A Chromium or Chrome that starts: $GPULAB_CHROMIUM, an installed one, else the one of Playwright."""
    chosen = os.environ.get("GPULAB_CHROMIUM")
    if chosen:
        if not starts(chosen):
            raise Failure(
                f'GPULAB_CHROMIUM is "{chosen}", which does not start: set it to a Chromium or unset it.'
            )
        return chosen
    installed = [path for path in map(shutil.which, NAMES) if path]
    usual = [os.path.expanduser(os.path.expandvars(place)) for place in PLACES.get(sys.platform, ())]
    program = next(filter(starts, installed + usual), None)
    if program is None and paths.VENV_PYTHON.is_file():
        own = output_of([paths.VENV_PYTHON, "-c", PLAYWRIGHT_QUERY])
        program = own if own and starts(own) else None
    return program


def starts(program: str) -> bool:
    """Whether a browser is there and runs; on Windows, where asking opens a window, whether it is there."""
    if not os.path.isfile(program):
        return False
    return os.name == "nt" or output_of([program, "--version"]) is not None


def ensure_chromium() -> str:
    """The path of a Chromium, installed first where there is none."""
    program = find_chromium()
    if program is not None:
        return program
    if is_debian() and os.geteuid() == 0:
        say("Installing Debian's Chromium for the browser tests.")
        install("Debian's package list", ["apt-get", "update", "-q"])
        apt = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium", "fonts-noto-cjk"]
        install("Chromium", apt, DEBIAN_FRONTEND="noninteractive")
    else:
        say("Installing Playwright's Chromium for the browser tests.")
        install("Chromium", [paths.VENV_PYTHON, "-m", "playwright", "install", "chromium"])
    program = find_chromium()
    if program is None:
        raise Failure(
            "The Chromium that was installed does not start: install Chromium or Chrome with the "
            "system's own packages, or set GPULAB_CHROMIUM to one, then run the same command again."
        )
    return program


def is_debian() -> bool:
    """Whether this is Debian itself: Ubuntu's package of the same name only points to a snap."""
    release = Path("/etc/os-release")
    return release.is_file() and "ID=debian" in release.read_text("utf-8").splitlines()
