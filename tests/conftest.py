"""What holds for every test: the same examples on every machine, and a mark on what needs a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.random_sample import TIMES, examples

BROWSER_TESTS = Path(__file__).parent / "browser"

# Derandomized, so that a failure shows on the next machine too; no deadline, since CI may be slow.
settings.register_profile(
    "gpulab",
    derandomize=TIMES == 1,
    max_examples=examples(100),
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("unshrunk", settings.get_profile("gpulab"), phases=[Phase.explicit, Phase.generate])
settings.load_profile("gpulab")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER_TESTS in item.path.parents:
            item.add_marker(pytest.mark.browser)
