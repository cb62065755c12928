"""Small repositories for the checks to look at: one good tree, and ways to spoil it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

PAGE = """\
---
title: {title}
---

# {title} {{#sharing}}

{opening} {{{{slots-and-memory.slots}}}}[^note]

## {steps} {{#steps}}

```yaml
version: v1  # {comment}
# {comment}
sharing:
  timeSlicing: {{}}
```

```lab
lab: slots-and-memory  # {comment}
```

!!! note "{title}"

    {opening}

| a | b |
| --- | --- |
| 1 | 2 |
| 3 | 4 |

[{title}](other.md#part)

![{title}](picture.svg)

<https://kubernetes.io/{locale}docs/>

[^note]: {opening}
"""

WORDS: Mapping[str, Mapping[str, str]] = {
    "ja": {
        "title": "GPUの共有",
        "opening": "枠が並びます。",
        "steps": "手順",
        "comment": "設定",
        "locale": "ja/",
    },
    "ko": {
        "title": "GPU 공유",
        "opening": "자리가 늘어선다.",
        "steps": "순서",
        "comment": "설정",
        "locale": "ko/",
    },
    "en": {
        "title": "Sharing GPUs",
        "opening": "There are slots.",
        "steps": "Steps",
        "comment": "Settings",
        "locale": "",
    },
}


def write(root: Path, files: Mapping[str, str]) -> Path:
    """Write `files` (path to text) under `root`."""
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def docs_tree(root: Path) -> Path:
    """A page in three languages that agree in everything that counts."""
    return write(
        root, {f"docs/{language}/page.md": PAGE.format(**words) for language, words in WORDS.items()}
    )


def replace(root: Path, path: str, old: str, new: str) -> None:
    """Replace a text that is there exactly once or more."""
    file = root / path
    text = file.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {path}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def line_of(root: Path, path: str, text: str) -> int:
    """The first line of a file that holds `text`."""
    lines = (root / path).read_text(encoding="utf-8").split("\n")
    return next(number for number, line in enumerate(lines, start=1) if text in line)
