"""What rules say, whole, against files: places, arguments, other places and fixes.

`GPULAB_UPDATE_GOLDEN=1 python3 dev.py test tests/golden/findings` writes them anew; read what changed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from labs.config.documents.kinds import Kind
from labs.lint.core.explanation import explanation
from labs.lint.registry import RULES
from tests.golden.findings.findings_text import by_path, findings, settings_of, told
from tests.unit.config.cases import rows
from tests.unit.lint import test_daemonsets, test_deployment, test_sharing

FOLDER = Path(__file__).parent
FAMILIES = sorted({rule.check.__module__.split(".")[3] for rule in RULES})


def golden(name: str, found: str) -> str:
    """The text of a golden file, written anew on demand; a missing one fails."""
    path = FOLDER / name
    if os.environ.get("GPULAB_UPDATE_GOLDEN"):
        path.write_text(found, "utf-8", newline="\n")
    assert path.exists(), f"{name} is missing: write it with GPULAB_UPDATE_GOLDEN=1 and read it"
    return path.read_text("utf-8")


# Examples, each with what all rules say of it


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_said_of_the_examples(family: str) -> None:
    rules = [rule for rule in RULES if rule.check.__module__.split(".")[3] == family]
    found = "".join(
        told(f"{rule.code} {rule.slug}, {which}", texts, findings(texts, settings_of(rule)))
        for rule in rules
        for which, texts in (
            ("bad", by_path(explanation(rule).bad)),
            ("good", by_path(explanation(rule).good)),
        )
    )
    assert found == golden(f"examples-{family}.txt", found)


# The tables of the tests of rules


def numbered(texts: Sequence[str]) -> dict[str, str]:
    return {f"{index}.yaml": text for index, text in enumerate(texts)}


def test_what_is_said_of_daemon_sets() -> None:
    found = "".join(
        told(name, numbered(texts), findings(numbered(texts)))
        for name, (_, texts, _) in test_daemonsets.SAID.items()
    )
    assert found == golden("daemonsets.txt", found)


def test_what_is_said_of_deployments() -> None:
    tables = {
        **{name: texts for name, (_, texts, _) in test_deployment.CASES.items()},
        **{f"fix: {name}": (text,) for name, (_, text, _, _) in test_deployment.FIXES.items()},
    }
    found = "".join(told(name, numbered(texts), findings(numbered(texts))) for name, texts in tables.items())
    assert found == golden("deployments.txt", found)


def test_what_is_said_of_sharing() -> None:
    found = "".join(
        told(f"{code} {name}", numbered(texts), findings(numbered(texts), settings))
        for name, code, settings, texts in [*(row[:4] for row in test_sharing.SPEAKS), *test_sharing.SILENT]
    )
    assert found == golden("sharing.txt", found)


@pytest.mark.parametrize("kind", [Kind.DEVICE_PLUGIN, Kind.MIG_PARTED])
def test_what_is_said_of_the_cases_of_the_loaders(kind: Kind) -> None:
    cases = {row["id"]: row["yaml"] for row in rows("config.jsonl") if row["kind"] == kind.value}
    found = "".join(
        told(name, {"it": text}, findings({"it": text}, kind=kind)) for name, text in cases.items()
    )
    assert found == golden(f"cases-{kind.value}.txt", found)
