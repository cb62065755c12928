"""`gpulab mig`: the answers as JSON and in words, exit codes, and wrong usage."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from labs.cli import main
from labs.library import LANGUAGES, builtin_library

LIBRARY = builtin_library()
ENGLISH = LIBRARY.messages["en"]
CASES = [
    json.loads(line)
    for line in Path(__file__).parents[2].joinpath("cases", "mig.jsonl").read_text("utf-8").splitlines()
]
Ran = tuple[int, str, str]
Run = Callable[..., Ran]


@pytest.fixture
def mig(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `gpulab mig` in this process: (exit code, standard output, standard error)."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")

    def run(*arguments: str) -> Ran:
        try:
            code = main(["mig", *arguments])
        except SystemExit as ended:  # --help
            code = int(ended.code or 0)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def arguments(case: dict[str, Any]) -> list[str]:
    """A case as somebody would type it."""
    found = ["place", "--gpu", case["gpu"], *case["requested"], "--format", "json"]
    for each in case.get("initial", []):
        found += ["--occupied", f"{each['profile']}@{each['start']}"]
    if case["mode"] == "explicit":
        for each in case["placements"]:
            found += ["--at", str(each["start"])]
    elif case["mode"] == "any":
        found += ["--order", "any"]
    return found


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_cases(mig: Run, case: dict[str, Any]) -> None:
    code, out, err = mig(*arguments(case))
    answer = json.loads(out)

    assert (code, err) == (0 if case["placeable"] else 1, "")
    assert list(answer) == ["gpu", "placeable", "placements", "free", "error"]
    assert (answer["gpu"], answer["placeable"]) == (case["gpu"], case["placeable"])
    assert (answer["error"] is None) == case["placeable"]
    if case.get("error"):
        assert answer["error"] == case["error"]
    if case["placements"] and (case["placeable"] or case["mode"] == "sequential"):
        assert answer["placements"] == case["placements"]
    if "free_after" in case:
        assert answer["free"] == case["free_after"][-1]["free"]


def test_a_compute_instance_is_listed_under_its_own_name(mig: Run) -> None:
    _, out, _ = mig("place", "--gpu", "a100-40gb", "1c.3g.20gb", "2c.3g.20gb", "--format", "json")

    assert json.loads(out)["placements"] == [
        {"profile": "1c.3g.20gb", "start": 4, "size": 4},
        {"profile": "2c.3g.20gb", "start": 4, "size": 4},
    ]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["1g.5gb", "1g.5gb", "2g.10gb", "3g.20gb"], "3g.20gb 4:4, 2g.10gb 0:2, 1g.5gb 2:1, 1g.5gb 3:1"),
        (["3g.20gb", "3g.20gb", "1g.5gb"], "hold 9 memory slices and the card has 8"),
        (["4g.20gb", "4g.20gb"], "need 8 compute slices and the card has 7"),
        (["1g.5gb+me", "1g.5gb+me"], "more media engines"),
        (["4g.20gb", "1g.10gb", "1g.5gb", "1g.5gb"], "name the starts"),
        (["3g.20gb", "--occupied", "1g.5gb@0", "--occupied", "1g.5gb@5"], "have to go: 1g.5gb 0:1"),
        (["7g.40gb", "--occupied", "1g.5gb@0"], "leave too little"),
        (["2g.10gb", "--at", "6"], "Its starts: 0, 2, 4"),
        (["1g.5gb.me"], "Did you mean 1g.5gb+me?"),
        (["whole"], "It has: 1g.5gb,"),
        ([""], 'no profile "".'),
        (["1g.5gb", "--at", "9" * 20], "never starts at 99,999,999,999,999,999,999,"),
        (["1g.5gb"] * 2000, "1g.5gb: 1,993 not created"),
    ],
)
def test_a_refusal_is_explained(mig: Run, given: list[str], says: str) -> None:
    code, out, err = mig("place", "--gpu", "a100-40gb", *given)

    assert (code, err) == (1, "")
    assert says in " ".join(out.split())


def test_the_picture_shows_which_slices_are_held(mig: Run) -> None:
    _, out, _ = mig("place", "--gpu", "a100-40gb", "3g.20gb", "--occupied", "1g.5gb@0")

    assert out.splitlines()[1:3] == [
        "  0        1        2        3        4        5        6        7",
        "  [1g.5gb ][.......][.......][.......][3g.20gb                           ]",
    ]


def test_names_that_differ_do_not_look_alike_in_the_picture(mig: Run) -> None:
    _, out, _ = mig("place", "--gpu", "a100-40gb", "1g.5gb+me", "1g.5gb")

    assert out.splitlines()[2].split("][")[4:7] == ["1g.5gb ", ".......", "1g.5gb…"]


def test_of_a_long_name_the_beginning_is_shown(mig: Run) -> None:
    code, out, _ = mig("place", "--gpu", "a100-40gb", "9" * 50_000)

    assert code == 1
    assert len(out) < 1_000


def test_a_terminal_obeys_nothing_that_was_given(mig: Run) -> None:
    _, out, _ = mig("place", "--gpu", "a100-40gb", "1g\x1b[31m")

    assert "\x1b" not in out


def test_a_start_the_driver_chose_is_said_to_follow_a_model(mig: Run) -> None:
    chosen = mig("place", "--gpu", "a100-40gb", "3g.20gb")[1]
    named = mig("place", "--gpu", "a100-40gb", "3g.20gb", "--at", "4")[1]

    assert "a model of the driver (inferred)" in " ".join(chosen.split())
    assert "model" not in named


def test_starts_known_from_sister_cards_are_said_to_be_inferred(mig: Run) -> None:
    said = [
        mig("place", "--gpu", gpu, name)[1]
        for gpu, name in (("h200-141gb", "3g.71gb"), ("a100-40gb", "3g.20gb"))
    ]

    assert ["cards of the same kind" in " ".join(text.split()) for text in said] == [True, False]


def test_starts_the_driver_would_not_choose_are_said_to_be_needed(mig: Run) -> None:
    names = ["4g.20gb", "1g.10gb", "1g.5gb", "1g.5gb"]
    code, out, _ = mig("place", "--gpu", "a100-40gb", *names, "--order", "any")

    assert code == 0
    assert "nvidia-smi mig -cgi ID:START" in out


# Profiles


def test_profiles_as_json_have_values_confidence_and_sources(mig: Run) -> None:
    code, out, _ = mig("profiles", "--gpu", "h200-141gb", "--format", "json")
    answer = json.loads(out)
    half = next(each for each in answer["profiles"] if each["profile"] == "3g.71gb")

    assert code == 0
    assert (answer["gpu"], answer["memorySlices"], answer["computeSlices"]) == ("h200-141gb", 8, 7)
    assert (half["id"], half["computeSlices"], half["memorySlices"], half["size"]) == (9, 3, 4, 4)
    assert (half["starts"]["value"], half["starts"]["confidence"]) == ([0, 4], "inferred")
    assert answer["placementOrder"]["starts"]["3g.71gb"] == [4, 0]
    assert answer["placementOrder"]["confidence"] == "inferred"
    cited = {key for each in answer["profiles"] for name in ("sms", "max") for key in each[name]["sources"]}
    assert cited
    assert cited <= set(answer["sources"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("model", LIBRARY.catalog.models, ids=lambda model: model.id)
def test_every_card_has_a_table_or_a_sentence(mig: Run, model: Any, language: str) -> None:
    code, out, err = mig("profiles", "--gpu", model.id, "--lang", language)

    assert (code, err) == (0, "")
    assert [profile.name for profile in model.mig_profiles if profile.name not in out] == []


def test_what_is_known_how_well_is_said_in_words(mig: Run) -> None:
    known = mig("profiles", "--gpu", "a100-40gb")[1].splitlines()
    mixed = mig("profiles", "--gpu", "rtx-pro-6000-96gb")[1].splitlines()
    unknown = mig("profiles", "--gpu", "rtx-pro-4500-32gb")[1].splitlines()

    assert known[2].endswith("two sources")
    assert mixed[2].endswith("two sources: GiB, SMs, max; inferred: starts")
    assert unknown[2].endswith("not known: GiB, SMs, starts; one source: max")


# Wrong usage


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            ["place", "--gpu", "a100-40", "1g.5gb"],
            ENGLISH.text(
                "cli.mig.unknown-gpu-near", gpu="a100-40", near=", ".join(LIBRARY.catalog.suggest("a100-40"))
            ),
        ),
        (
            ["profiles", "--gpu", "?"],
            ENGLISH.text("cli.mig.unknown-gpu", gpu="?", known=", ".join(LIBRARY.catalog.ids)),
        ),
        (
            ["place", "--gpu", "a100-40gb", "1g.5gb", "1g.5gb", "--at", "0"],
            ENGLISH.text("cli.mig.at-count", starts=1, profiles=2),
        ),
        (
            ["place", "--gpu", "a100-40gb", "1g.5gb", "--occupied", "1g.5gb"],
            ENGLISH.text("cli.mig.occupied-form", value="1g.5gb"),
        ),
        (
            ["place", "--gpu", "a100-40gb", "1g.5gb", "--occupied", ""],
            ENGLISH.text("cli.mig.occupied-form", value='""'),
        ),
        (
            ["place", "--gpu", "a100-40gb", "1g.5gb", "--order", "any", "--at", "0"],
            ENGLISH.text("cli.mig.at-any"),
        ),
        (
            ["profiles", "--gpu", ""],
            ENGLISH.text("cli.mig.unknown-gpu", gpu='""', known=", ".join(LIBRARY.catalog.ids)),
        ),
        (
            ["place", "--gpu", "a100-40gb", "1g.5gb", "--occupied", "1g.5gb@x"],
            ENGLISH.text("cli.mig.occupied-form", value="1g.5gb@x"),
        ),
        (
            ["place", "--gpu", "a100-40gb", "1g.5gb", "--occupied", "3g.20gb@2"],
            ENGLISH.text("cli.mig.occupied-start", value="3g.20gb@2", starts="0, 4"),
        ),
        (
            ["place", "--gpu", "a30-24gb", "1g.6gb", "--occupied", "4g.24gb@0", "--occupied", "1g.6gb@3"],
            ENGLISH.text("cli.mig.occupied-room", value="1g.6gb@3"),
        ),
        (
            ["place", "--gpu", "t4-16gb", "1g.6gb", "--occupied", "1g.6gb@3"],
            ENGLISH.text("cli.mig.occupied-profile", value="1g.6gb@3", gpu="t4-16gb", known="–"),
        ),
        (
            ["place", "--gpu", "rtx-pro-4500-32gb", "1g.16gb"],
            ENGLISH.text(
                "cli.mig.unknown-figure",
                gpu="rtx-pro-4500-32gb",
                figure=ENGLISH.text("cli.mig.figure.placements"),
            ),
        ),
    ],
)
def test_wrong_usage_says_what_is_wrong_with_code_2(mig: Run, given: list[str], says: str) -> None:
    assert mig(*given) == (2, "", says + "\n")


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["profiles"],
        ["place", "--gpu", "a100-40gb"],
        ["place", "--gpu", "a100-40gb", "1g.5gb", "--at", "left"],
        ["place", "--gpu", "a100-40gb", "1g.5gb", "--at", "１"],
        ["plan", "--gpu", "a100-40gb", "--cards", "1_0", "1x1g.5gb"],
        ["place", "--gpu", "a100-40gb", "1g.5gb", "--order", "best"],
    ],
)
def test_missing_and_malformed_arguments_are_code_2(mig: Run, given: list[str]) -> None:
    code, out, err = mig(*given)

    assert (code, out) == (2, "")
    assert "gpulab mig" in err


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_speaks_the_language(mig: Run, language: str) -> None:
    code, out, _ = mig("--lang", language, "place", "--help")

    assert code == 0
    assert LIBRARY.messages[language].text("cli.mig.help-gpu").split()[0] in out


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_speaks_the_language(mig: Run, language: str) -> None:
    said = LIBRARY.messages[language].text("cli.mig.refused", error="Insufficient Resources")

    assert (
        said in mig("place", "--gpu", "a100-40gb", "4g.20gb", "4g.20gb", "--lang", language)[1].splitlines()
    )
