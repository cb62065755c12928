"""What `kubectl` prints in the second article is what the simulator's rollout of its lab prints, to the letter."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from labs.library import builtin_library

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```console\n(?P<output>\$ .*?)\n```$", re.MULTILINE | re.DOTALL)
CLOCK = re.compile(r"^ *[0-9.]+s  ", re.MULTILINE)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """All that `gpulab rollout` prints for the lab's scenario, without the times beside the lines."""
    scenario = tmp_path_factory.mktemp("rollout") / "stops-on-one-node.yaml"
    scenario.write_text(builtin_library().rollouts["stops-on-one-node"].scenario, encoding="utf-8")
    command = [sys.executable, "-m", "labs.cli", "rollout", str(scenario), "--lang", "en"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True)
    return CLOCK.sub("", done.stdout)


@pytest.mark.parametrize("language", ["ja", "ko", "en"])
def test_the_article_shows_what_kubectl_would_print(language: str, printed: str) -> None:
    text = (ROOT / "docs" / language / "articles" / "daemonset-rollout.md").read_text("utf-8")
    blocks = [match["output"].split("\n") for match in BLOCK.finditer(text)]
    assert len(blocks) == 2
    lines = printed.split("\n")
    missing = [line for block in blocks for line in block if line not in lines]
    assert missing == []
