"""`gpulab mig plan`: the plan as JSON and in words, its config, exit codes, and wrong usage."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from labs.cli import main
from labs.config.mig_parted.fit import fits
from labs.config.mig_parted.loader import load
from labs.library import LANGUAGES, builtin_library

LIBRARY = builtin_library()
ENGLISH = LIBRARY.messages["en"]
CONFIG = """\
version: v1
mig-configs:
  planned:
    - devices: [0]
      mig-enabled: true
      mig-devices:
        "1g.5gb+me": 1
        "3g.20gb": 1
    - devices: [1]
      mig-enabled: false
"""
Ran = tuple[int, str, str]
Run = Callable[..., Ran]


@pytest.fixture
def plan(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `gpulab mig plan --gpu a100-40gb` in this process: (exit code, standard output, standard error)."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")

    def run(*arguments: str, gpu: str = "a100-40gb") -> Ran:
        code = main(["mig", "plan", "--gpu", gpu, *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_a_plan_as_json(plan: Run) -> None:
    code, out, err = plan("--cards", "2", "1x19GiB", "1x1g.5gb+me", "--format", "json")

    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "gpu": "a100-40gb",
        "cards": [
            {
                "placements": [
                    {"profile": "3g.20gb", "start": 4, "size": 4, "wish": "1x19GiB"},
                    {"profile": "1g.5gb+me", "start": 0, "size": 1, "wish": "1x1g.5gb+me"},
                ],
                "wastedMemorySlices": 0,
                "wastedComputeSlices": 0,
                "needsStarts": False,
            },
            {"placements": [], "wastedMemorySlices": 0, "wastedComputeSlices": 0, "needsStarts": False},
        ],
        "feasible": True,
        "reason": None,
        "migParted": CONFIG,
        "resources": [
            {"wish": "1x19GiB", "pods": 1, "resources": {"limits": {"nvidia.com/mig-3g.20gb": 1}}},
            {"wish": "1x1g.5gb+me", "pods": 1, "resources": {"limits": {"nvidia.com/mig-1g.5gb.me": 1}}},
        ],
        "exact": True,
    }


def test_a_refusal_as_json_has_the_bound_with_code_1(plan: Run) -> None:
    code, out, err = plan("--cards", "2", "3x10GiB", "1x20GiB", "2x5GiB", "--format", "json")

    assert (code, err) == (1, "")
    assert json.loads(out) == {
        "gpu": "a100-40gb",
        "cards": [],
        "feasible": False,
        "reason": {"bound": "compute-slices", "wish": None, "needed": 18, "most": 14},
        "migParted": None,
        "resources": [],
        "exact": True,
    }


def test_mig_parted_loads_the_config_and_it_covers_all_cards_and_fits(plan: Run) -> None:
    _, out, _ = plan("--cards", "8", "9x4GiB", "5x9GiB", "3x19GiB", "2x1g.5gb+me", "--format", "json")
    answer = json.loads(out)
    parted = load(answer["migParted"])

    assert (parted.loads, parted.error) == (True, None)
    assert parted.spec is not None
    (entries,) = parted.spec.configs.values()
    model = LIBRARY.catalog.get("a100-40gb")
    assert sorted(index for entry in entries for index in entry.devices or ()) == list(range(8))
    assert [fits(entry.mig_devices or {}, model) for entry in entries] == [True] * len(entries)
    for entry in entries:
        for index in entry.devices or ():
            names = [each["profile"] for each in answer["cards"][index]["placements"]]
            assert {name: names.count(name) for name in names} == dict(entry.mig_devices or {})
            assert entry.mig_enabled == bool(names)


def test_the_same_wish_put_twice_is_listed_once(plan: Run) -> None:
    _, out, _ = plan("--cards", "1", "1x1g.5gb", "1x1g.5gb", "--format", "json")

    assert json.loads(out)["resources"] == [
        {"wish": "1x1g.5gb", "pods": 2, "resources": {"limits": {"nvidia.com/mig-1g.5gb": 1}}}
    ]


def test_a_plan_in_words_has_pictures_config_and_resources(plan: Run) -> None:
    code, out, err = plan("--cards", "2", "1x10GiB", "1x1g.5gb+me")
    lines = out.splitlines()

    assert (code, err) == (0, "")
    assert lines[0].endswith("Cards used: 1 of 2.")
    assert "  3g.20gb at 4:4 for 1x10GiB" in lines
    assert "Not needed: Card 1." in out
    assert "1x10GiB: 1g.10gb has 9.75 GiB" in out
    assert "    - devices: [1]\n      mig-enabled: false\n" in out
    assert "# 1x1g.5gb+me, Pods: 1\nresources:\n  limits:\n    nvidia.com/mig-1g.5gb.me: 1\n" in out


def test_what_is_wasted_is_said(plan: Run) -> None:
    assert "0 of the memory slices, 1 of the compute slices" in " ".join(
        plan("--cards", "1", "2x3g.20gb")[1].split()
    )
    assert "Wasted" not in plan("--cards", "1", "1x3g.20gb")[1]


def test_starts_that_have_to_be_named_are_named(plan: Run) -> None:
    _, out, _ = plan("--cards", "1", "1x4g.20gb", "1x1g.10gb", "2x1g.5gb")

    assert "nvidia-smi mig -cgi 4g.20gb:0,1g.10gb:6,1g.5gb:4,1g.5gb:5 -C" in " ".join(out.split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("given", "key", "values"),
    [
        (
            ["2", "3x10GiB", "1x20GiB", "2x5GiB"],
            "plan.why.compute-slices",
            {"needed": 18, "most": 14},
        ),
        (["1", "5x9GiB"], "plan.why.memory-slices", {"needed": 10, "most": 8}),
        (["1", "1x40GiB"], "plan.why.no-profile", {"wish": "1x40GiB", "memory": "39.38"}),
        (["1", "2x1g.5gb+me"], "plan.why.media-engines", {"wish": "2x1g.5gb+me", "needed": 2, "most": 1}),
        (["1", "2x4g.20gb"], "plan.why.compute-slices", {"needed": 8, "most": 7}),
        (["2", "1x7g.40gb", "2x1g.5gb+me"], "plan.why.no-layout", {}),
        (["1", "1x1c.3g.20gb"], "plan.why.compute-instance", {"wish": "1x1c.3g.20gb", "profile": "3g.20gb"}),
        (["1", "1x1g.5gb.me"], "why.profile-near", {"profile": "1g.5gb.me", "known": "1g.5gb+me"}),
    ],
)
def test_a_refusal_is_proven_in_words(
    plan: Run, given: list[str], key: str, values: dict[str, str | float], language: str
) -> None:
    messages = LIBRARY.messages[language]
    if "memory" in values:
        values = values | {"memory": messages.text("unit.gib", n=str(values["memory"]))}
    code, out, err = plan("--cards", *given, "--lang", language)

    assert (code, err) == (1, "")
    assert "".join(messages.text(f"cli.mig.{key}", **values).split()) in "".join(out.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_without_mig_is_an_answer(plan: Run, language: str) -> None:
    code, out, _ = plan("--cards", "1", "1x1GiB", "--lang", language, gpu="t4-16gb")

    name = LIBRARY.catalog.get("t4-16gb").name
    assert code == 1
    assert LIBRARY.messages[language].text("cli.mig.no-mig", gpu=name) in out


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--cards", "0", "1x4GiB"], ENGLISH.text("cli.mig.plan.cards-range", cards="0", most=64)),
        (["--cards", "65", "1x4GiB"], ENGLISH.text("cli.mig.plan.cards-range", cards="65", most=64)),
        *(
            (["--cards", "1", wish], ENGLISH.text("cli.mig.plan.wish-form", value=wish))
            for wish in ("10GiB", "0x4GiB", "1xfour", "1x0GiB", "x4GiB", "10000x4GiB", "1x", "1x4GiB!")
        ),
    ],
)
def test_wrong_usage_says_what_is_wrong_with_code_2(plan: Run, given: list[str], says: str) -> None:
    assert plan(*given) == (2, "", says + "\n")


def test_unknown_memory_is_said_with_code_2(plan: Run) -> None:
    figure = ENGLISH.text("cli.mig.figure.memory_mib")

    assert plan("--cards", "1", "1x10GiB", gpu="h20-96gb") == (
        2,
        "",
        ENGLISH.text("cli.mig.unknown-figure", gpu="h20-96gb", figure=figure) + "\n",
    )
