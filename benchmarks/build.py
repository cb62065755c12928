"""What the build costs, beside the same pages in plain Material: same Markdown, stock theme, stock search, no labs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml
from mkdocs.utils.yaml import get_yaml_loader, yaml_load

from benchmarks.table import Result, Table, median
from tools.paths import ROOT
from tools.process import Failure

REPEATS = 5
OURS, PLAIN = "this site", "plain Material"


def build_times(repeats: int = REPEATS) -> Result:
    """Both builds in turns, each in a process of its own, into an empty folder."""
    with tempfile.TemporaryDirectory() as name:
        plain = plain_copy(Path(name) / "plain")
        times: dict[str, list[tuple[float, float]]] = {OURS: [], PLAIN: []}
        for _ in range(repeats):
            times[OURS].append(_build(ROOT, Path(name) / "ours"))
            times[PLAIN].append(_build(plain, Path(name) / "stock"))
    pages = len(list((ROOT / "docs").rglob("*.md")))
    clock = {name: [by_clock for by_clock, _ in pairs] for name, pairs in times.items()}
    processor = {name: [of_processor for _, of_processor in pairs] for name, pairs in times.items()}
    table = Table(
        f"Building {pages} pages",
        ("", "median, s", "fastest, s", "times plain", "of processor, s", "times plain"),
        tuple(
            (
                name,
                median(clock[name]),
                min(clock[name]),
                median(clock[name]) / median(clock[PLAIN]),
                median(processor[name]),
                median(processor[name]) / median(processor[PLAIN]),
            )
            for name in (OURS, PLAIN)
        ),
        (
            f"{repeats} builds each, in turns. This site's runs every lab in three languages and makes the search's index.",
            "The browser's runtime is packed only when the package changes, and is not counted. The target is 1.5 times.",
        ),
    )
    return Result((table,), clock | {f"{name}, of processor": spent for name, spent in processor.items()})


def plain_copy(folder: Path) -> Path:
    """The same pages with the stock theme and search; fences of labs become code, references to numbers stay text."""
    shutil.copytree(ROOT / "docs", folder / "docs")
    for page in (folder / "docs").rglob("*.md"):
        text = page.read_text("utf-8")
        page.write_text(re.sub(r"^template: .*\n", "", text, flags=re.MULTILINE), "utf-8")
    with (ROOT / "mkdocs.yml").open("rb") as file:
        asked = yaml_load(file, get_yaml_loader())
    i18n = next(plugin for plugin in asked["plugins"] if isinstance(plugin, dict) and "i18n" in plugin)
    i18n["i18n"].pop("reconfigure_search", None)
    stock = {
        "site_name": asked["site_name"],
        "site_url": asked["site_url"],
        "theme": {"name": "material"},
        "plugins": ["search", i18n],
        "nav": asked["nav"],
        "markdown_extensions": asked["markdown_extensions"],
    }
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(stock, allow_unicode=True, sort_keys=False), "utf-8")
    return folder


def _build(project: Path, target: Path) -> tuple[float, float]:
    """Seconds to build that project into that folder, by the clock and of the processor."""
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(target)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)}
    started, before = time.perf_counter(), os.times()
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    spent, after = time.perf_counter() - started, os.times()
    if done.returncode != 0 or not (target / "index.html").is_file():
        raise Failure(f"The pages were not built: {(done.stderr or done.stdout).strip()}")
    of_processor = after.children_user - before.children_user + after.children_system - before.children_system
    return spent, of_processor
