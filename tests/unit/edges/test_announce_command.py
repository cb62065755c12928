"""`gpulab announce`: which configs, which node, whose words, exit codes, JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.edges.conftest import Command

SLICED = "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 5}]}}\n"
REFUSED = SLICED.replace("5", "1")
MPS = SLICED.replace("timeSlicing", "mps")
MAP = """apiVersion: v1
kind: ConfigMap
metadata: {name: plugin-configs}
data:
  whole: |
    version: v1
  shared: |
    version: v1
    sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 3}]}}
"""
VALUES = """config:
  map:
    default: |
      version: v1
      sharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}
"""


@pytest.fixture
def _files(tmp_path: Path) -> None:
    for name, text in {
        "sliced": SLICED,
        "refused": REFUSED,
        "mps": MPS,
        "map": MAP,
        "values": VALUES,
        "empty": "",
        "plain": "version: v1\n",
        "pod": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n",
        "mig": "version: v1\nmig-configs: {a: [{devices: all, mig-enabled: false}]}\n",
    }.items():
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")


pytestmark = pytest.mark.usefixtures("_files")


def test_the_notice_is_mail(command: Command) -> None:
    ran = command("announce", "sliced.yaml", "--from", "1 May", "--contact", "ops@example.com")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("# What `nvidia.com/gpu: 1` means is about to change\n\n- From when: 1 May\n")
    assert "one of 5" not in ran.out
    assert "5 such slots take turns on one GPU" in ran.out
    assert ran.out.endswith("## Whom to ask\n\nIf anything is unclear: ops@example.com\n")


@pytest.mark.parametrize(
    ("lang", "title"),
    [
        ("ja", "# 【お知らせ】`nvidia.com/gpu: 1`の意味が変わります"),
        ("ko", "# [공지] `nvidia.com/gpu: 1` 요청의 뜻이 달라집니다"),
    ],
)
def test_each_language(command: Command, lang: str, title: str) -> None:
    assert command("announce", "sliced.yaml", "--lang", lang).out.splitlines()[0] == title


def test_a_node_gives_numbers_and_sizes(command: Command) -> None:
    ran = command("announce", "sliced.yaml", "--node", "a100-40gb-x4")
    assert "Offered by one node: 4 until now, 20 from then on." in ran.out
    assert "An even share would be 8 GiB" in ran.out
    assert "`NVIDIA-A100-SXM4-40GB` becomes `NVIDIA-A100-SXM4-40GB-SHARED`" in ran.out


def test_the_json_has_every_language(command: Command) -> None:
    ran = command("announce", "mps.yaml", "--deployer", "helm", "--node", "t4-x1", "--format", "json")
    (found,) = ran.json["notices"]
    assert ran.code == 0
    assert list(found["text"]) == ["en", "ja", "ko"]
    assert found["changes"] == [
        {
            "change": "shared",
            "model": "Tesla T4",
            "migProfile": None,
            "devices": 1,
            "before": {
                "resource": "nvidia.com/gpu",
                "sharing": "none",
                "replicas": 1,
                "moreThanOne": "granted",
                "memoryLimitMiB": None,
                "threadPercent": None,
            },
            "after": {
                "resource": "nvidia.com/gpu",
                "sharing": "mps",
                "replicas": 5,
                "moreThanOne": "refused",
                "memoryLimitMiB": 3072,
                "threadPercent": 20,
            },
        }
    ]
    assert [(each["mechanism"], each["what"]) for each in found["notPromised"]] == [
        ("mps", "memory"),
        ("mps", "speed"),
        ("mps", "faults"),
        ("mps", "card"),
    ]
    assert all(each["source"] for each in found["notPromised"])


def test_every_config_of_a_config_map_has_its_notice(command: Command) -> None:
    ran = command("announce", "map.yaml")
    assert ran.out.count("\n---\n") == 1
    assert "label `nvidia.com/device-plugin.config=whole`" in ran.out
    assert "label `nvidia.com/device-plugin.config=shared`" in ran.out
    only = command("announce", "map.yaml#shared")
    assert "config=whole" not in only.out


def test_a_chart_deploys_its_values(command: Command) -> None:
    assert command("announce", "values.yaml").code == 0  # alone, MPS would lack its root


def test_the_previous_config_of_the_same_key_is_yesterday(command: Command) -> None:
    ran = command("announce", "map.yaml#shared", "--before", "map.yaml")
    assert "Nothing changes for you." in ran.out
    ran = command("announce", "sliced.yaml", "--before", "map.yaml#shared")
    assert "Until now: one slot whose turn will come: 3 such slots" in ran.out


def test_nothing_shared_says_so(command: Command) -> None:
    for name in ("plain.yaml", "empty.yaml"):
        ran = command("announce", name)
        assert ran.code == 0
        assert "This setting shares no GPU" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["refused.yaml"], "number of replicas must be >= 2"),
        (["mps.yaml"], "using MPS requires --mps-root to be specified"),
        (["sliced.yaml", "--before", "refused.yaml"], "number of replicas must be >= 2"),
        (
            ["mps.yaml", "--deployer", "helm", "--node", "a100-40gb-mig-mixed"],
            "MPS sharing is not supported for mig devices",
        ),
    ],
)
def test_what_does_not_load_is_bad_news_in_the_loaders_words(
    command: Command, arguments: list[str], said: str
) -> None:
    ran = command("announce", *arguments)
    assert ran.code == 1
    assert said in ran.out
    ran = command("announce", *arguments, "--format", "json")
    assert ran.code == 1
    assert said in ran.json["notices"][0]["error"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pod.yaml"], "pod.yaml holds no config of the device plugin, but: Pod."),
        (["mig.yaml"], "holds no config of the device plugin"),
        (["map.yaml#none"], "map.yaml has no config none. Known: whole, shared."),
        (["sliced.yaml", "--before", "map.yaml"], "Name the one that held until now: map.yaml#KEY"),
        (
            ["sliced.yaml", "--from", "a\nb"],
            "--from: a b holds a character that nobody can see or that breaks",
        ),
        (["sliced.yaml", "--contact", "a\u202eb"], "(U+202E). Write one line without it."),
        (["sliced.yaml", "--contact", " "], '--contact is blank. Write one line, such as --contact "#gpu'),
        (["sliced.yaml", "--contact", "x" * 201], "--contact has 201 characters, and at most 200 are taken."),
        (["missing.yaml"], "missing.yaml can't be read"),
        (["-", "--before", "-"], "Standard input can be read once only"),
    ],
)
def test_wrong_usage(command: Command, arguments: list[str], said: str) -> None:
    ran = command("announce", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_what_the_notice_leaves_out_is_told_beside_it(command: Command, tmp_path: Path) -> None:
    (tmp_path / "typo.yaml").write_text(SLICED.replace("nvidia.com/gpu", "nvidia.com/gpus"), "utf-8")
    ran = command("announce", "typo.yaml")
    assert ran.code == 0
    assert "gpus" not in ran.out
    assert "the config shares nvidia.com/gpus, but there is no such device" in ran.err
