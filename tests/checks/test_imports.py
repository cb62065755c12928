"""Imports: the arrows between layers, and the world that only edges touch."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks import imports
from tests.checks.trees import write

BAD = [
    ("labs/hardware/cards.py", "from labs.config import read\n", 1, '"hardware" imports "config"'),
    ("labs/config/loader.py", "import labs.cluster.node\n", 1, '"config" imports "cluster"'),
    ("labs/cluster/node.py", "from labs import simulation\n", 1, '"cluster" imports "simulation"'),
    ("labs/simulation/world/run.py", "from ...report import text\n", 1, '"simulation" imports "report"'),
    (
        "labs/report/result/text.py",
        "x = 1\nfrom labs.library import Library\n",
        2,
        '"report" imports "library"',
    ),
    ("labs/__init__.py", "from labs.cli import main\n", 1, '"labs/__init__.py" imports "cli"'),
    ("labs/lint/subject/rule.py", "def f():\n    import labs.teaching\n", 2, '"lint" imports "teaching"'),
    ("labs/cluster/node.py", "import simpy\n", 1, "SimPy is imported outside simulation/"),
    ("labs/cli.py", "import simpy\n", 1, "SimPy is imported outside simulation/"),
    ("labs/markdown.py", "import mkdocs.config\n", 1, "ties the package to one site generator"),
    ("labs/report/result/text.py", "import markdown\n", 1, "is third-party below the edges"),
    ("labs/config/loader.py", "import os\n", 1, '"os" reaches the world'),
    (
        "labs/config/loader.py",
        "from urllib.request import urlopen\n",
        1,
        '"urllib.request" reaches the world',
    ),
    ("labs/config/loader.py", "from pathlib import Path\n", 1, "pathlib.Path reaches the world"),
    ("labs/config/loader.py", "import sys\nsys.stderr.write('x')\n", 2, "sys.stderr reaches the world"),
    ("labs/config/loader.py", "open('x')\n", 1, "open() reaches the world"),
    ("labs/report/result/text.py", "print('x')\n", 1, "print() reaches the world"),
    ("labs/report/result/text.py", "hash('x')\n", 1, "hash() differs from run to run"),
    ("labs/simulation/world/run.py", "import time\n", 1, '"time" reaches the world'),
    ("labs/simulation/world/run.py", "import datetime\ndatetime.datetime.now()\n", 2, "reads the clock"),
    ("labs/simulation/world/run.py", "from datetime import date\ndate.today()\n", 2, "reads the clock"),
    (
        "labs/simulation/world/run.py",
        "import random\nrandom.random()\n",
        2,
        "random.random draws from the global stream",
    ),
    ("labs/simulation/world/run.py", "from random import shuffle\n", 1, "random.shuffle draws"),
    ("labs/helpers/x.py", "", 1, '"helpers" is neither a layer nor an edge'),
]
GOOD = [
    (
        "labs/teaching/scenario_lab/lab.py",
        "from labs.report import text\nfrom labs.hardware.catalog.catalog import Catalog\n",
    ),
    ("labs/simulation/world/run.py", "import random\nimport simpy\nrandom.Random('1:a')\n"),
    ("labs/simulation/world/run.py", "from random import Random\nfrom labs.simulation import trace\n"),
    (
        "labs/config/loader.py",
        "import json\nfrom pathlib import PurePosixPath\nimport sys\nsys.maxsize\n",
    ),
    ("labs/hardware/catalog/catalog.py", "import importlib.resources\nfrom labs import __version__\n"),
    ("labs/cli.py", "import os, sys, time\nfrom pathlib import Path\nimport markdown\nprint(open('x'))\n"),
    ("labs/library.py", "import labs.browser\n"),
]


@pytest.mark.parametrize(("path", "source", "line", "words"), BAD)
def test_a_wrong_import_or_effect_is_reported(
    tmp_path: Path, path: str, source: str, line: int, words: str
) -> None:
    write(tmp_path, {path: source})
    problems = imports.check(tmp_path)
    assert [(problem.path, problem.line) for problem in problems] == [(path, line)]
    assert words in problems[0].message


@pytest.mark.parametrize(("path", "source"), GOOD)
def test_what_the_layers_may_do_passes(tmp_path: Path, path: str, source: str) -> None:
    write(tmp_path, {path: source})
    assert imports.check(tmp_path) == []
