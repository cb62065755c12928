"""The search index, one per language, of what the built pages say: made by Pagefind under `assets/search/`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority

sys.path[:0] = [str(Path(__file__).parent.parent)]

from labs.teaching.kinds import KINDS  # noqa: E402 (MkDocs loads hooks by path, not as a package)

_FOLDER = "assets/search"
# Inside the text that counts (`data-pagefind-body` in theme/base.html), what nobody would search for.
_LEFT_OUT = (
    ".headerlink",
    ".footnote-ref",
    ".footnote-backref",
    *(".gl-starts-box", ".gl-provenance", ".gl-sources"),  # of the cards: nobody looks for a capture's key
    *(f"{kind.element} .gl-{part}" for kind in KINDS for part in kind.unsearched),
)
# Pagefind's own interfaces: the theme has one, without the styles that a strict policy blocks.
_UNUSED = ("*-ui.js", "*-ui.css", "pagefind-highlight.js")


@event_priority(-200)  # after i18n, which builds the other languages in its own handler of this event
def on_post_build(config: MkDocsConfig) -> None:
    """Indexes the site once all its languages are built."""
    if getattr(config.plugins["i18n"], "building"):  # noqa: B009 (a plugin without types)
        return
    if not config.use_directory_urls:
        return  # for opening from a folder, where nothing can be searched and the page says so
    try:
        index(Path(config.site_dir))
    except subprocess.CalledProcessError as error:
        raise PluginError(
            f"The search index was not made: {(error.stderr or error.stdout).strip()}"
        ) from None


def index(site: Path) -> None:
    """Writes the index of a site's pages into it. Raises CalledProcessError with what Pagefind says."""
    command = [sys.executable, "-m", "pagefind", "--site", str(site), "--output-subdir", _FOLDER]
    command += ["--exclude-selectors", ", ".join(_LEFT_OUT), "--silent"]
    subprocess.run(command, capture_output=True, text=True, check=True)
    folder = site / _FOLDER
    for path in [path for pattern in _UNUSED for path in folder.glob(pattern)]:
        path.unlink()
    entry = folder / "pagefind-entry.json"  # the one file whose order differs from run to run
    entry.write_text(json.dumps(json.loads(entry.read_text("utf-8")), sort_keys=True), encoding="utf-8")


if __name__ == "__main__":
    index(Path(sys.argv[1]))
