"""Which tests enter which functions, and how long they take: one run of the tests under a profiler."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tools.mutation import session

Place = tuple[str, str]
"""A file and the outermost function in it, as in `Mutant`."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Seconds of the processor of each test, the tests that enter a place, the places entered by imports, what failed."""

    seconds: dict[str, float]
    tests: dict[Place, list[str]]
    on_import: frozenset[Place]
    failed: frozenset[str]

    def near(self, path: str, function: str) -> list[str]:
        """Tests that could notice a mutant: those that enter its function, or its module where none is run by name."""
        if function:
            return self.tests.get((path, function), [])
        inside = (tests for (file, _), tests in self.tests.items() if file == path)
        return list(dict.fromkeys(name for tests in inside for name in tests))


class _Recorder:
    """A plugin of pytest that notes the code objects entered while a test runs."""

    def __init__(self, root: Path) -> None:
        self._root = f"{root}{os.sep}"
        self._entered: set[CodeType] = set()
        self.failed: set[str] = set()
        self.seconds: dict[str, float] = {}
        self.places: dict[str, set[Place]] = {}

    def start(self) -> None:
        self._entered = set()
        threading.setprofile(self._enter)
        sys.setprofile(self._enter)

    def stop(self) -> set[Place]:
        sys.setprofile(None)
        threading.setprofile(None)
        return {
            (code.co_filename.removeprefix(self._root), code.co_qualname.partition(".<locals>")[0])
            for code in self._entered
            if code.co_filename.startswith(self._root)
        }

    def _enter(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            self._entered.add(frame.f_code)

    def pytest_collection_finish(self) -> None:
        self.places[""] = self.stop()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        started = time.process_time()
        self.start()
        try:
            return (yield)
        finally:
            self.places[item.nodeid] = self.stop()
            self.seconds[item.nodeid] = time.process_time() - started

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)

    def result(self) -> Reach:
        on_import = frozenset(self.places.pop("", ()))
        tests: dict[Place, list[str]] = defaultdict(list)
        for name, places in self.places.items():
            for place in places if name not in self.failed else ():
                tests[place].append(name)
        return Reach(self.seconds, dict(tests), on_import, frozenset(self.failed))


def record(root: Path, files: Sequence[str]) -> Reach:
    """Runs the tests of these files, in this process, which must not have imported the code."""
    recorder = _Recorder(root)
    recorder.start()
    session.run(files, [recorder])
    return recorder.result()


def united(parts: Iterable[Reach]) -> Reach:
    """All of them, as if their tests had run together."""
    seconds: dict[str, float] = {}
    tests: dict[Place, list[str]] = defaultdict(list)
    on_import: set[Place] = set()
    failed: set[str] = set()
    for part in parts:
        seconds.update(part.seconds)
        on_import |= part.on_import
        failed |= part.failed
        for place, names in part.tests.items():
            tests[place] += names
    return Reach(seconds, dict(tests), frozenset(on_import), frozenset(failed))


def of_file(reach: Reach, file: str) -> Reach:
    """The part of one file of tests."""

    def its(name: str) -> bool:
        return name.partition("::")[0] == file

    tests = {
        place: kept for place, names in reach.tests.items() if (kept := [name for name in names if its(name)])
    }
    seconds = {name: spent for name, spent in reach.seconds.items() if its(name)}
    return Reach(seconds, tests, reach.on_import, frozenset(filter(its, reach.failed)))
