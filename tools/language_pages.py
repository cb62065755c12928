"""A process that builds the site's languages one by one, as often as it is asked: `python -m tools.language_pages LEAD`.

Each line that it reads, `LANGUAGE FOLDER`, it answers with `built` or `failed`; what is wrong goes to stderr. A page
is rendered again only if its source or the list of files has changed, so it must be started anew after a change of
the code in labs/ or hooks/, or of mkdocs.yml. This is the only module of `tools` that imports MkDocs.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Mapping
from typing import Any, NamedTuple

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents
from mkdocs.utils import CountHandler

from tools import paths

_render = Page.render


class Rendering(NamedTuple):
    """What a page's Markdown came to; `links` are by the names of files, which are other objects in each build."""

    inputs: tuple[str, str, frozenset[str]]
    content: str | None
    toc: TableOfContents
    title: str | None
    anchors: set[str] | None
    links: Mapping[str, dict[str, str]]


class Renderings:
    """The last rendering of each page. One of which something is wrong isn't kept, so that it is said each time."""

    def __init__(self) -> None:
        self._kept: dict[str, Rendering] = {}
        self._warnings = CountHandler()
        self._warnings.setLevel(logging.WARNING)
        logging.getLogger("mkdocs").addHandler(self._warnings)

    def render(self, page: Page, config: MkDocsConfig, files: Files) -> None:
        """Does what `Page.render` does."""
        name = page.file.src_uri
        inputs = (page.file.url, page.markdown or "", frozenset(files.src_uris))
        kept = self._kept.get(name)
        if kept is None or kept.inputs != inputs:
            warnings = self._warnings.get_counts()
            _render(page, config, files)
            if self._warnings.get_counts() == warnings:
                self._kept[name] = _rendering(page, inputs)
            return
        page.content, page.toc, page.present_anchor_ids = kept.content, kept.toc, kept.anchors
        page._title_from_render = kept.title
        page.links_to_anchors = {files.src_uris[to]: links for to, links in kept.links.items()}


def _rendering(page: Page, inputs: tuple[str, str, frozenset[str]]) -> Rendering:
    links = {file.src_uri: dict(found) for file, found in (page.links_to_anchors or {}).items()}
    return Rendering(inputs, page.content, page.toc, page._title_from_render, page.present_anchor_ids, links)


def build_language(config: MkDocsConfig, language: str, folder: str) -> bool:
    """Builds that language into that folder, which it clears first; False where MkDocs or a hook refuses."""
    plugin: Any = config.plugins["i18n"]
    plugin.current_language = language
    plugin.building = True  # as in its own builds of the further languages: no others follow, nor an index
    config.site_dir = folder
    try:
        build(config)
    except (MkDocsException, SystemExit) as refusal:
        print(f"ERROR: {refusal}", file=sys.stderr, flush=True)
        return False
    except Exception:  # a slip in a hook that is being worked on
        traceback.print_exc()
        return False
    return True


def main(lead: str) -> None:
    """Answers the lines of stdin until it ends; the files that all languages share go with the lead."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    config = load_config(str(paths.ROOT / "mkdocs.yml"), strict=True)
    config.extra["shared_with"] = lead
    config.plugins.on_startup(command="build", dirty=False)
    renderings = Renderings()
    Page.render = lambda *asked: renderings.render(*asked)  # type: ignore[method-assign]
    for line in sys.stdin:
        language, folder = line.rstrip("\n").split(" ", 1)
        print("built" if build_language(config, language, folder) else "failed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
