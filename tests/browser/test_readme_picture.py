"""The picture in the README shows the landing page and is small.

`GPULAB_UPDATE_GOLDEN=1 python3 dev.py test tests/browser/test_readme_picture.py` takes it anew.
"""

from __future__ import annotations

import os
import re

from tests.browser.lab_page import LAB, OpenTab
from tools.paths import ROOT

PICTURE = ROOT / "docs" / "assets" / "landing-page.png"
WIDTH, HEIGHT = 1280, 840
LARGEST = 200_000  # bytes


def test_the_readme_shows_a_small_picture_of_the_landing_page(open_tab: OpenTab, site_url: str) -> None:
    page = open_tab(viewport={"width": WIDTH, "height": HEIGHT}, locale="en", color_scheme="light")
    page.goto(f"{site_url}en/", wait_until="networkidle")
    taken = page.screenshot()
    if os.environ.get("GPULAB_UPDATE_GOLDEN"):
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_bytes(taken)
    assert page.locator(f'gpu-lab[lab="{LAB}"] .gl-wide').is_visible()
    kept = PICTURE.read_bytes()
    assert len(kept) < LARGEST
    assert kept[:24] == taken[:24]  # a PNG of this size, as its header says
    shown = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert PICTURE.relative_to(ROOT).as_posix() in [source for _, source in shown]
    assert all(len(said) > 30 for said, _ in shown)
