"""What is said of files that a loader refuses or that are no files of ours, against files.

`GPULAB_UPDATE_GOLDEN=1 python3 dev.py test tests/golden/findings` writes them anew; read what changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest

from labs.config.documents.kinds import Kind
from labs.lint.rules import files
from tests.golden.findings.findings_text import findings, told
from tests.golden.findings.test_findings_golden import golden
from tests.golden.findings.test_varied_golden import kept
from tests.unit.lint import test_files

TABLES = {
    "plugin-refusals": (Kind.DEVICE_PLUGIN, [text for text, *_ in test_files.PLUGIN_REFUSALS]),
    "yaml-refusals": (Kind.DEVICE_PLUGIN, [text for text, *_ in test_files.YAML_REFUSALS]),
    "mig-refusals": (Kind.MIG_PARTED, [text for text, *_ in test_files.MIG_REFUSALS]),
    "unknown-keys": (Kind.DEVICE_PLUGIN, [text for text, *_ in test_files.UNKNOWN]),
    "misplaced-keys": (Kind.DEVICE_PLUGIN, [text for text, *_ in test_files.MISPLACED]),
}


@pytest.mark.parametrize("name", TABLES)
def test_what_is_said_of_refused_files(name: str) -> None:
    kind, texts = TABLES[name]
    found = "".join(
        told(repr(text), {"it": text}, findings({"it": text}, kind=kind, rules=files.RULES)) for text in texts
    )
    assert found == golden(f"{name}.txt", found)


PLAIN = """\
version: v1
flags:
  migStrategy: "none"
sharing:
  timeSlicing:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
"""
SLIPS = [
    *("\t", '"', "'", "{", "[", "]", ":", "：", "=", "@", "`", "%", "-", "?", "|"),
    *("{{x}}", "{%x%}", "*a", "&a", "!!x", "\u200b", "\xa0", "\x01"),
]


def slips() -> Iterator[tuple[str, str]]:
    """A config with a character or two too many: where a line begins, before its words, behind its key, at its end."""
    lines = PLAIN.splitlines(keepends=True)
    for number, line in enumerate(lines):
        indent, colon = len(line) - len(line.lstrip()), line.index(":")
        for place in dict.fromkeys((0, indent, colon, len(line) - 1)):
            for slip in (one + more for one in SLIPS for more in ("", " ")):
                changed = line[:place] + slip + line[place:]
                yield (
                    f"{slip!r} at {number + 1}:{place + 1}",
                    "".join([*lines[:number], changed, *lines[number + 1 :]]),
                )


def test_where_a_slip_of_the_pen_is_found() -> None:
    """A hash of all that is said, as there are some 1,300 of them."""
    said = hashlib.sha256()
    for title, text in slips():
        found = findings({"it": text}, kind=Kind.DEVICE_PLUGIN, rules=files.RULES)
        said.update(told(title, {"it": text}, found).encode())
    found_hash = said.hexdigest()[:16]
    assert found_hash == kept("slips", found_hash)
