"""The machine that measured, in the words that matter for speed; no names of hosts, people or folders."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

from tools.chromium import find_chromium
from tools.process import output_of


def describe() -> dict[str, str | int | float | None]:
    """Processor, cores, memory, system, and what runs on it."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memoryGiB": _memory_gib(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "chromium": _version(find_chromium()),
        "loadBefore": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    names = (
        re.findall(r"^model name\s*:\s*(.+)$", file.read_text("utf-8"), re.MULTILINE)
        if file.is_file()
        else []
    )
    return names[0] if names else platform.processor() or "unknown"


def _memory_gib() -> int | None:
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return None
    return round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30)


def _version(program: str | None) -> str | None:
    said = output_of([program, "--version"]) if program else None
    found = re.search(r"\d+(\.\d+)+", said or "")
    return found[0] if found else None
