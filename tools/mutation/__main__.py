"""The command line: `python -m tools.mutation [PATH...] [--sample N] [--seed N]`."""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import pickle
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tools.mutation import equivalents
from tools.mutation.reach import Reach, of_file, record, united
from tools.mutation.sites import Module, Mutant
from tools.mutation.trial import Trial, Verdict, Verdicts, run_anew, run_in_place
from tools.paths import CACHE, ROOT

Result = TypeVar("Result")

UNIT = "tests/unit"
AREAS = {
    "labs/config": (f"{UNIT}/config", f"{UNIT}/lint"),
    "labs/cluster": (f"{UNIT}/cluster", "tests/golden/scenarios"),
    "labs/lint": (f"{UNIT}/lint", f"{UNIT}/edges/test_check_fix.py", "tests/golden/findings"),
    "labs/hardware": (f"{UNIT}/hardware",),
    "labs/simulation/laws": (f"{UNIT}/simulation/laws", "tests/property/test_sharing.py"),
}
"""What is measured, and the tests that are asked about it: the nearest, which run it in their own process."""
SAMPLE = 60
ENOUGH = 0.9
"""The share of mutants that must be noticed."""


@dataclass(frozen=True, slots=True)
class Score:
    """Of a sample: how many mutants there were, how many differ from the code, and those of them unnoticed."""

    area: str
    mutants: int
    sample: int
    equivalent: int
    late: int
    unnoticed: tuple[Mutant, ...]

    @property
    def judged(self) -> int:
        return self.sample - self.equivalent

    @property
    def noticed(self) -> float:
        return 1 - len(self.unnoticed) / self.judged if self.judged else 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints a line for each area; 1 where less than nine in ten mutants of one are noticed."""
    options = _parser().parse_args(arguments)
    if not hasattr(os, "fork"):
        sys.exit("Mutants are tried in forked processes, which this system has not: use Linux or macOS.")
    scores = [_measured(area, _reach(options.folders or _nearest(area)), options) for area in options.paths]
    print(f"\n{'area':24} mutants  sample  equivalent  unnoticed  noticed (95 % interval)")
    for score in scores:
        low, high = _interval(score.judged - len(score.unnoticed), score.judged)
        print(
            f"{score.area:24} {score.mutants:7}  {score.sample:6}  {score.equivalent:10}  {len(score.unnoticed):9}"
            f"  {score.noticed:.1%} ({low:.0%} to {high:.0%}), {score.late} by taking too long"
        )
    return 0 if all(score.noticed >= ENOUGH for score in scores) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dev.py mutate", description="Measure how many small faults the tests notice."
    )
    parser.add_argument(
        "paths", nargs="*", default=list(AREAS), metavar="PATH", help=f"files or folders ({', '.join(AREAS)})"
    )
    parser.add_argument(
        "--sample", type=int, default=SAMPLE, help=f"mutants drawn from each PATH; 0: all ({SAMPLE})"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draw (0)")
    parser.add_argument(
        "--budget", type=float, default=60.0, help="seconds of tests asked about one mutant (60)"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants tried at a time")
    parser.add_argument("--folders", nargs="+", default=(), help="the tests that are asked (the nearest)")
    parser.add_argument("--only", default="", help="of the sample, mutants whose description holds this text")
    return parser


def _nearest(path: str) -> list[str]:
    """The tests to ask about a file or a folder; those of all areas for what lies in none."""
    own = [folders for area, folders in AREAS.items() if f"{path}/".startswith(f"{area}/")]
    return sorted({folder for folders in own or AREAS.values() for folder in folders})


def _reach(folders: Sequence[str]) -> Reach:
    """Who reaches what; kept for each file of tests while it, what it rests on and the code are as they were."""
    files = [path for folder in folders for path in _files(folder) if Path(path).name.startswith("test_")]
    kept = {file: CACHE / "mutation" / f"{digest}.pickle" for file, digest in _digests(files).items()}
    missing = [file for file in files if not kept[file].is_file()]
    if missing:
        print(
            f"Asking the tests of {len(missing)} files what they enter (kept in .cache/mutation).", flush=True
        )
        (CACHE / "mutation").mkdir(parents=True, exist_ok=True)
        new = _apart(lambda: record(ROOT, missing))
        for file in missing:
            kept[file].write_bytes(pickle.dumps(of_file(new, file)))
    reach = united(pickle.loads(path.read_bytes()) for path in kept.values())
    for name in sorted(reach.failed):
        print(f"not asked, as it fails without any mutant: {name}")
    return reach


def _digests(files: Sequence[str]) -> dict[str, str]:
    common = hashlib.sha256()
    for path in sorted([*(ROOT / "labs").rglob("*"), *(ROOT / "tests").rglob("*")]):
        if path.is_file() and path.suffix != ".pyc" and not path.name.startswith("test_"):
            common.update(path.as_posix().encode() + path.read_bytes())
    return {
        file: hashlib.sha256(common.digest() + (ROOT / file).read_bytes()).hexdigest()[:24] for file in files
    }


def _measured(area: str, reach: Reach, options: argparse.Namespace) -> Score:
    modules = [Module(path, (ROOT / path).read_text("utf-8")) for path in _files(area)]
    mutants = [(mutant, module) for module in modules for mutant in module.mutants]
    draw = random.Random(f"{options.seed} {area}")
    drawn = draw.sample(mutants, options.sample) if 0 < options.sample < len(mutants) else mutants
    known = equivalents.load()
    same = [mutant for mutant, _ in drawn if equivalents.key(mutant) in known]
    trials = [
        _trial(mutant, module, reach, options.budget)
        for mutant, module in drawn
        if mutant not in same and options.only in str(mutant)
    ]
    verdicts = _verdicts([one for one in trials if one.tests], reach, options.jobs)
    for one in trials:
        if not one.tests:
            verdicts[one.mutant] = Verdict(noticed=False)
            print(f"no test: {one.mutant}", flush=True)
    unnoticed = tuple(one.mutant for one in trials if not verdicts[one.mutant].noticed)
    late = sum(verdict.late for verdict in verdicts.values())
    return Score(area, len(mutants), len(same) + len(trials), len(same), late, unnoticed)


def _files(area: str) -> list[str]:
    path = ROOT / area
    return [
        one.relative_to(ROOT).as_posix() for one in (sorted(path.rglob("*.py")) if path.is_dir() else [path])
    ]


def _trial(mutant: Mutant, module: Module, reach: Reach, budget: float) -> Trial:
    """With the tests that enter the place, of quick files first, until the budget is spent."""
    names = reach.near(mutant.path, mutant.function) or ([] if mutant.function else list(reach.seconds))
    by_file: dict[str, list[str]] = {}
    for name in names:
        by_file.setdefault(name.partition("::")[0], []).append(name)
    cost = {file: sum(reach.seconds[name] for name in tests) for file, tests in by_file.items()}
    spent, chosen = 0.0, []
    for file in sorted(cost, key=cost.__getitem__):
        for name in by_file[file]:
            if spent <= budget:
                spent += reach.seconds[name]
                chosen.append(name)
    return Trial(mutant, module, tuple(chosen), spent)


def _verdicts(trials: Sequence[Trial], reach: Reach, jobs: int) -> Verdicts:
    def by_import(one: Trial) -> bool:
        return not one.mutant.function or (one.mutant.path, one.mutant.function) in reach.on_import

    in_place = [one for one in trials if not by_import(one)]
    verdicts = _apart(lambda: run_in_place(ROOT, in_place, jobs, _tell)) if in_place else {}
    anew = [one for one in trials if by_import(one) or verdicts[one.mutant].cannot]
    return {**verdicts, **run_anew(ROOT, anew, jobs, _tell)}


def _tell(one: Trial, verdict: Verdict) -> None:
    if not verdict.noticed:
        print(f"unnoticed by {len(one.tests)} tests: {one.mutant}", flush=True)


def _apart(work: Callable[[], Result]) -> Result:
    """What `work` returns in a forked process, so that this one imports nothing of the project."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            answer = pickle.dumps(work())
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(answer)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    if os.waitpid(child, 0)[1] != 0:
        sys.exit("The tests could not be run: python3 dev.py test says why.")
    result: Result = pickle.loads(answer)
    return result


def _interval(noticed: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if of == 0:
        return 0.0, 1.0
    z, share = 1.96, noticed / of
    middle = share + z * z / (2 * of)
    spread = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - spread) / (1 + z * z / of), (middle + spread) / (1 + z * z / of)


if __name__ == "__main__":
    sys.exit(main())
