"""What a change of is a change of the site: a test of a page and `dev.py serve` build it anew then."""

from __future__ import annotations

import dev


def test_it_is_all_that_pages_are_made_of_and_load_and_nothing_else() -> None:
    named = {path.relative_to(dev.ROOT).as_posix() for path in dev.site_inputs()}
    assert named >= {
        "mkdocs.yml",
        "docs/en/index.md",
        "hooks/pages.py",
        "labs/web/gpu-lab.js",
        "theme/base.html",
        "theme/assets/site/frame.css",
        "theme/assets/site/site.js",
    }
    others = (".git/", ".cache/", ".venv/", "node_modules/", "site/", "site-folder/", "tests/")
    assert [name for name in named if name.startswith(others) or "__pycache__" in name] == []
