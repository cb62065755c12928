"""Asks `gpulab check` about many mutated files: `python -m tests.fuzz_check --count 200000`.

Ends with 1 where an input broke a law of `tests/property/check_laws.py`, raised, or took over a second of the processor;
each is told with its seed, which `--seed N --count 1` asks again and `--show` prints.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter

from tests.property.check_laws import Broken, hold, judged
from tests.property.mutated_files import mutated

SLOW_S = 1.0
MOST_TOLD = 30


def main() -> int:
    """Runs the inputs; 1 where one of them broke something."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz_check", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--count", type=int, default=200_000, help="how many inputs (200000)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--show", action="store_true", help="print the files too")
    options = parser.parse_args()
    kinds: Counter[str] = Counter()
    slowest, slowest_seed, found = 0.0, options.seed, 0
    for seed in range(options.seed, options.seed + options.count):
        given = mutated(seed)
        if options.show:
            for path, text in given.files:
                print(f"# {seed}: {path}, {given.kind or 'auto'}\n{text!r}\n{text}")
        try:
            started = time.process_time()
            judged(given)
            spent = time.process_time() - started
            found += hold(given, seed)
        except Broken as broken:
            kinds[_told(seed, str(broken), str(broken).partition(" (")[0], kinds)] += 1
            continue
        except Exception:
            words = traceback.format_exc()
            last = "\n".join(words.strip().splitlines()[-3:])
            kinds[_told(seed, words, last, kinds)] += 1
            continue
        if spent > slowest:
            slowest, slowest_seed = spent, seed
        if spent > SLOW_S:
            kinds[_told(seed, f"took {spent:.2f} s", "slow", kinds)] += 1
    print(
        f"{options.count} inputs, {found} findings; the slowest took {slowest:.3f} s (seed {slowest_seed})."
    )
    for kind, times in kinds.most_common():
        print(f"{times} times: {kind}")
    return 1 if kinds else 0


def _told(seed: int, words: str, kind: str, kinds: Counter[str]) -> str:
    if kind not in kinds and len(kinds) < MOST_TOLD:
        print(f"seed {seed}: {words}", flush=True)
    return kind


if __name__ == "__main__":
    sys.exit(main())
