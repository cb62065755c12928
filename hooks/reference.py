"""The reference pages, which no file holds: `labs.report.pages` writes those of rules, cards and accuracy for the build.

i18n makes files anew by their place below `docs/` and loses a content that is held in memory: so each page is placed
there before i18n looks, and gets its text after that.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.files import File, Files

_ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(_ROOT)]

from hooks.package_digest import package_digest  # noqa: E402 (MkDocs loads hooks by path, not as a package)
from labs.library import LANGUAGES, builtin_library  # noqa: E402
from labs.lint.core import ExplanationError  # noqa: E402
from labs.report.writing import MessageError  # noqa: E402

ELSEWHERE = (
    "web/",
    "teaching/data/",
    "commands/",
    "browser.py",
    "cli.py",
    "markdown.py",
    "site_server.py",
)  # what no page says anything of; a test holds it to that

_IMPORTED = package_digest(ELSEWHERE)  # what this process writes, even where a file changes while it runs
_texts: dict[str, str] = {}


@event_priority(100)
def _place(files: Files, *, config: MkDocsConfig) -> Files:
    """Before i18n: the pages, as if they lay below `docs/`."""
    _texts.clear()
    _texts.update(written_pages(_ROOT / ".cache" / "reference"))
    for path in _texts:
        if files.get_file_from_path(path) is not None:
            raise PluginError(f"docs/{path}: the build writes this page: remove the file.")
        files.append(File(path, config.docs_dir, config.site_dir, config.use_directory_urls))
    return files


@event_priority(-200)
def _fill(files: Files, *, config: MkDocsConfig) -> Files:
    """After i18n: their texts."""
    for file in files:
        if file.src_uri in _texts:
            file.content_string = _texts[file.src_uri]
    return files


on_files = CombinedEvent(_place, _fill)


def written_pages(cache: Path) -> dict[str, str]:
    """The text of every page by its path below `docs/`, kept in `cache` until the package changes."""
    kept = cache / f"{_IMPORTED}.json"
    if not kept.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        fresh = cache / f"new-{os.getpid()}"
        fresh.write_text(json.dumps(_write()), encoding="utf-8")
        fresh.replace(kept)
        for other in cache.glob("*.json"):
            if other != kept:
                other.unlink(missing_ok=True)
    pages: dict[str, str] = json.loads(kept.read_text("utf-8"))
    return pages


def _write() -> dict[str, str]:
    from labs.report.pages import builtin_evidence, reference_pages  # only where something has changed

    library = builtin_library()
    evidence = builtin_evidence(library.catalog, library.workloads())
    try:
        return {
            f"{language}/{path}": text
            for language in LANGUAGES
            for path, text in reference_pages(
                library.messages[language], library.rules[language], library.catalog, evidence
            ).items()
        }
    except (ExplanationError, MessageError) as error:
        raise PluginError(f"The reference pages can't be written: {error}") from None
