"""The answers to what readers do first in a lab (the `stops` of its kind), worked out again where `labs/` has changed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from mkdocs.exceptions import PluginError

from hooks.package_digest import package_digest
from labs.browser import respond
from labs.library import LANGUAGES, builtin_library

ELSEWHERE = (
    "web/",
    "lint/",
    "commands/",
    "cli.py",
)  # what `labs.browser` does not reach; a test holds it to that


def stop_files(cache: Path, make: bool = True) -> list[Path]:
    """`<lab>.<language>.bin` for every lab of the package, below `cache`, which keeps them for the next build.

    Without `make`, none where they are not made yet.
    """
    folder = cache / package_digest(ELSEWHERE)
    if not folder.is_dir():
        if not make:
            return []
        fresh = cache / f"new-{os.getpid()}"
        fresh.mkdir(parents=True, exist_ok=True)
        _assert_claims()
        for kind in builtin_library().opened().values():
            for lab_id in kind.ids:
                for language, content in kind.stops(lab_id, LANGUAGES, respond).items():
                    (fresh / f"{lab_id}.{language}.bin").write_bytes(content)
        _settle(fresh, folder)
    return sorted(folder.iterdir())


def _assert_claims() -> None:
    """Ends the build where a lab, in one of its situations, does not come to what it `expect`s."""
    library = builtin_library()
    kinds = library.opened()
    wrong = [
        f"labs/teaching/data/{entry.folder}/{lab_id}.yaml: {preset or 'as first seen'}: {words}"
        for entry in library.kinds
        for lab_id in kinds[entry.name].ids
        for preset in (None, *kinds[entry.name].presets(lab_id))
        if (words := kinds[entry.name].unmet(lab_id, preset))
    ]
    if wrong:
        raise PluginError("\n".join(wrong))


def _settle(fresh: Path, folder: Path) -> None:
    """Puts the fresh answers in their place, where a second build may have been first, and drops older ones.

    What another build is still writing stays.
    """
    if folder.is_dir():
        shutil.rmtree(fresh)
    else:
        fresh.rename(folder)
    for other in folder.parent.iterdir():
        if other != folder and not other.name.startswith("new-"):
            shutil.rmtree(other, ignore_errors=True)


if __name__ == "__main__":
    try:
        stop_files(Path(__file__).parent.parent / ".cache" / "stops")
    except PluginError as error:
        sys.exit(str(error))
