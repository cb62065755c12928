"""The site is built only after a change of what it is made from, and only a whole one takes the old one's place."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tools import node_env, paths, process, site

ONE_BUILD = ["python.mjs", "scripts.mjs", "mkdocs"]
"""The programs of a build, in order."""


@pytest.fixture
def old(project: Path) -> Path:
    """A site that was built before."""
    for name, text in {"index.html": "<p>start", "404.html": "<p>nothing here"}.items():
        path = paths.SITE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return paths.SITE


def test_it_is_all_that_pages_are_made_of_and_load_and_nothing_else() -> None:
    named = {paths.from_root(path) for path in site.inputs()}
    assert named >= {
        "mkdocs.yml",
        "docs/en/index.md",
        "hooks/pages.py",
        "labs/web/elements/gpu-lab.js",
        "theme/base.html",
        "theme/assets/site/frame.css",
        "theme/assets/site/site.js",
    }
    tops = {name.partition("/")[0] for name in named}
    assert tops == {name.partition("/")[0] for name in site.INPUTS}
    assert [name for name in named if "__pycache__" in name] == []
    assert {name for name in named if name.startswith("requirements/")} == {"requirements/dev.txt"}


@pytest.fixture
def builds(old: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that a build starts; the last of them writes the new site."""
    programs: list[str] = []

    def pretend(command: process.CommandLine, **environment: str) -> int:
        programs.append(str(command[2] if command[1] == "-m" else command[1]))
        if "mkdocs" in programs[-1]:
            fresh = Path(command[command.index("--site-dir") + 1])
            fresh.mkdir()
            (fresh / "index.html").write_text("<p>new", "utf-8")
        return 0

    monkeypatch.setattr(site, "run", pretend)
    monkeypatch.setattr(node_env, "set_up", lambda: None)
    monkeypatch.setattr(node_env, "find_node", lambda: node_env.Node("node", "npm"))
    return programs


def test_the_runtime_is_packed_before_the_pages_are_made(builds: list[str]) -> None:
    site.build()
    assert [Path(program).name for program in builds] == ONE_BUILD
    assert (paths.SITE / "index.html").read_text("utf-8") == "<p>new"
    assert not (paths.SITE / "404.html").exists()


def test_the_site_for_a_folder_is_another_one(builds: list[str]) -> None:
    site.build(for_folder=True)
    assert (paths.FOLDER_SITE / "index.html").read_text("utf-8") == "<p>new"
    assert (paths.SITE / "index.html").read_text("utf-8") == "<p>start"
    assert site.ensure(for_folder=True) == paths.FOLDER_SITE
    assert len(builds) == len(ONE_BUILD)
    assert not list(paths.CACHE.glob("site*[0-9]*"))


def test_it_is_built_again_only_after_a_change(builds: list[str], project: Path) -> None:
    site.ensure()
    site.ensure()
    assert len(builds) == len(ONE_BUILD)
    (project / "docs").mkdir()
    (project / "docs" / "index.md").write_text("# New", "utf-8")
    site.ensure()
    assert len(builds) == 2 * len(ONE_BUILD)


def test_a_failed_build_leaves_the_last_site(builds: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "run", lambda command: 1)
    with pytest.raises(process.Failure, match="mend it and build again"):
        site.build()
    assert (paths.SITE / "index.html").read_text("utf-8") == "<p>start"


def test_a_warning_of_mkdocs_fails_the_build(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """With the real MkDocs: its option --quiet, for one, would make its option --strict do nothing."""
    monkeypatch.setattr(paths, "VENV_PYTHON", Path(sys.executable))
    monkeypatch.setattr(node_env, "set_up", lambda: None)
    monkeypatch.setattr(node_env, "find_node", lambda: node_env.Node("node", "npm"))
    monkeypatch.setattr(site, "run", lambda command: 0 if command[0] == "node" else process.run(command))
    (project / "mkdocs.yml").write_text("site_name: Site\n", "utf-8")
    (project / "docs").mkdir()
    page = project / "docs" / "index.md"
    page.write_text("# Page\n", "utf-8")
    site.build()
    page.write_text("# Page\n\n[a missing page](missing.md)\n", "utf-8")
    with pytest.raises(process.Failure, match="mend it and build again"):
        site.build()
    assert "missing.md" in capfd.readouterr().err


def test_every_input_exists() -> None:
    assert [name for name in site.INPUTS if not (paths.ROOT / name).exists()] == []


def test_tests_and_caches_are_no_part_of_the_site(project: Path) -> None:
    before = site.inputs_digest()
    for folder in ("tests", ".cache", ".pytest_cache", ".hypothesis", ".github", "docs/__pycache__"):
        (project / folder).mkdir(parents=True, exist_ok=True)
        (project / folder / "file").write_text("x", "utf-8")
    (project / "README.md").write_text("x", "utf-8")
    assert site.inputs_digest() == before


@pytest.mark.parametrize("option", site.OPTIONS)
def test_what_the_build_takes_from_the_environment_counts(
    project: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.delenv(option, raising=False)
    before = site.inputs_digest()
    monkeypatch.setenv(option, "meta")
    assert site.inputs_digest() != before


def test_it_takes_nothing_else() -> None:
    settings = (paths.ROOT / "mkdocs.yml").read_text("utf-8")
    assert tuple(re.findall(r"!ENV \[(\w+)", settings)) == ("SITE_URL", "SITE_URL", "SITE_POLICY")
