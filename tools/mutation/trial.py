"""Runs tests on mutants, each in a forked process.

Two ways. A function that is not called while modules are imported gets the mutant's code put into it, after all tests are
collected once: a fork and the tests are all it takes. What imports run (a constant, a default, a table) is imported anew.
"""

from __future__ import annotations

import functools
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import pytest

from tools.mutation import session
from tools.mutation.sites import Module, Mutant

LEAST_PATIENCE_S = 10
PATIENCE = 4
"""A mutant may take that many times the processor's time that its tests took before."""
ON_A_BUSY_MACHINE = 20
"""How much longer that may be by the clock, for those that wait for ever and use no processor."""
NOTICED, UNNOTICED, CANNOT = 1, 0, 3
"""Exit codes of a child; `CANNOT`: the function could not be given other code."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A mutant with its module, the tests to ask (in that order), and the seconds they took before."""

    mutant: Mutant
    module: Module
    tests: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant: noticed or not, in time or not; `cannot`: try the other way."""

    noticed: bool
    late: bool = False
    cannot: bool = False


Verdicts = dict[Mutant, Verdict]
Tell = Callable[[Trial, Verdict], None]


def run_in_place(root: Path, trials: Sequence[Trial], jobs: int, tell: Tell) -> Verdicts:
    """Verdicts on mutants of functions that no import calls, from one collection of tests. In a process of its own."""
    plugin = _InPlace(root, trials, jobs, tell)
    files = sorted({name.partition("::")[0] for trial in trials for name in trial.tests})
    session.run(files, [plugin])
    return plugin.verdicts


def run_anew(root: Path, trials: Sequence[Trial], jobs: int, tell: Tell) -> Verdicts:
    """Verdicts on mutants of what imports run; this process must not have imported the code."""

    def ask(trial: Trial) -> int:
        _silence()
        sys.meta_path.insert(0, _MutantFinder(root, trial))
        files = list(dict.fromkeys(name.partition("::")[0] for name in trial.tests))
        chosen = _Chosen(trial.tests)
        ended = session.run(["--exitfirst", *files], [chosen])
        return UNNOTICED if ended in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else NOTICED

    return _forked(trials, ask, jobs, tell)


class _InPlace:
    """A plugin of pytest that, in place of running the tests, asks them about mutants."""

    def __init__(self, root: Path, trials: Sequence[Trial], jobs: int, tell: Tell) -> None:
        self._root, self._trials, self._jobs, self._tell = root, trials, jobs, tell
        self._failed = False
        self.verdicts: Verdicts = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise SystemExit("Tests cannot be collected: python3 dev.py test says why.")
        items = {item.nodeid: item for item in session.items}
        functions = _functions(self._root)
        caches = [thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper)]

        def ask(trial: Trial) -> int:
            _silence()
            if not _replace_code(self._root, trial, functions):
                return CANNOT
            for cache in caches:
                if cache.__module__.startswith(("labs", "tests")):
                    cache.cache_clear()
            chosen = [items[name] for name in trial.tests if name in items]
            for item, following in zip(chosen, [*chosen[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self._failed:
                    return NOTICED
            return UNNOTICED

        self.verdicts = _forked(self._trials, ask, self._jobs, self._tell)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed


class _Chosen:
    """A plugin of pytest that leaves of what is collected the tests chosen, in their order."""

    def __init__(self, names: Sequence[str]) -> None:
        self._order = {name: place for place, name in enumerate(names)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        kept = [item for item in items if item.nodeid in self._order]
        items[:] = sorted(kept, key=lambda item: self._order[item.nodeid])


class _MutantFinder(importlib.abc.MetaPathFinder):
    """Finds the mutated module, and only that one."""

    def __init__(self, root: Path, trial: Trial) -> None:
        self._file = str(root / trial.mutant.path)
        self._name = _module_name(trial.mutant.path)
        self._code = _code(self._file, trial)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        loader = _MutantLoader(fullname, self._file)
        loader.code = self._code
        return importlib.util.spec_from_file_location(fullname, self._file, loader=loader)


class _MutantLoader(importlib.machinery.SourceFileLoader):
    """Gives the mutant's code for the source."""

    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        return self.code


def _module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _code(file: str, trial: Trial) -> CodeType:
    import ast

    with trial.module.mutated(trial.mutant.number) as tree:
        return compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)


def _functions(root: Path) -> dict[tuple[str, str, int], list[FunctionType]]:
    """The functions of the project that exist, by file, name and first line."""
    functions: dict[tuple[str, str, int], list[FunctionType]] = {}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(str(root)):
            code = thing.__code__
            key = (code.co_filename, code.co_qualname, code.co_firstlineno)
            functions.setdefault(key, []).append(thing)
    return functions


def _replace_code(
    root: Path, trial: Trial, functions: dict[tuple[str, str, int], list[FunctionType]]
) -> bool:
    """Puts the mutant's code into the function, wherever that is referred to; False where it cannot be."""
    file = str(root / trial.mutant.path)
    key = (file, trial.mutant.function, trial.mutant.first_line)
    new = next(
        (
            code
            for code in _nested(_code(file, trial))
            if (file, code.co_qualname, code.co_firstlineno) == key
        ),
        None,
    )
    if new is None or key not in functions:
        return False
    try:
        for function in functions[key]:
            function.__code__ = new
    except ValueError:  # other free variables
        return False
    return True


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def _silence() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _forked(trials: Sequence[Trial], ask: Callable[[Trial], int], jobs: int, tell: Tell) -> Verdicts:
    """Asks in children, so many at a time; one that takes too long is ended, and its mutant counts as noticed."""
    verdicts: Verdicts = {}
    running: dict[int, tuple[Trial, float]] = {}
    waiting = list(reversed(trials))
    while waiting or running:
        while waiting and len(running) < jobs:
            trial = waiting.pop()
            child = os.fork()
            if child == 0:
                _answer(ask, trial)
            running[child] = (trial, time.monotonic() + ON_A_BUSY_MACHINE * _patience(trial))
        time.sleep(0.02)
        for child, (trial, until) in list(running.items()):
            ended, status = os.waitpid(child, os.WNOHANG)
            late = not ended and time.monotonic() > until
            if late:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
            if ended or late:
                del running[child]
                exit_code = os.waitstatus_to_exitcode(status) if ended else NOTICED
                late = late or exit_code == -signal.SIGXCPU
                verdicts[trial.mutant] = verdict = Verdict(exit_code != UNNOTICED, late, exit_code == CANNOT)
                tell(trial, verdict)
    return verdicts


def _patience(trial: Trial) -> int:
    """Seconds of the processor that a mutant may take."""
    return int(LEAST_PATIENCE_S + PATIENCE * trial.seconds)


def _answer(ask: Callable[[Trial], int], trial: Trial) -> None:
    """In the child: its exit code is the answer; whatever is raised is noticed."""
    exit_code = NOTICED
    try:
        os.setpgid(0, 0)
        used = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + _patience(trial), resource.RLIM_INFINITY))
        exit_code = ask(trial)
    finally:
        os._exit(exit_code)
