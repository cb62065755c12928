"""However a scenario is written, a control rewrites its own value and nothing else, or nothing at all."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from labs.library import builtin_library
from labs.teaching.scenario_lab.controls import control_values, with_change
from tests.some import some

LAB = builtin_library().lab("slots-and-memory")
NEW = {
    "replicas": "7",
    "big": "11",
    "others": "9",
    "failRequestsGreaterThanOne": "false",
    "pods": "33",
    "request": "2",
    "model": "t4-16gb",
}
FLOW = (
    "{version: v1, sharing: {timeSlicing: {failRequestsGreaterThanOne: SWITCH, "
    "resources: [{name: nvidia.com/gpu, replicas: COUNT}]}}}"
)
BROKEN_FLOW = FLOW.replace(", ", ",\n      ")
LINES = """\
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: SWITCH
    resources:
      - name: nvidia.com/gpu
        replicas: COUNT
"""


def indented(text: str, columns: int) -> str:
    return "".join(" " * columns + line for line in text.splitlines(keepends=True))


def escaped(text: str) -> str:
    return json.dumps(text)[1:-1]


Write = Callable[[str], str]  # the scalar that holds a config
STYLES: dict[str, tuple[str, Write]] = {
    "literal": (LINES, lambda text: "|\n" + indented(text, 6)),
    "literal with its indent": (LINES, lambda text: "|2\n" + indented(text, 6)),
    "literal, stripped": (LINES, lambda text: "|-\n" + indented(text, 8)),
    "literal, kept": (LINES, lambda text: "|+\n\n" + indented(text, 6) + "\n\n"),
    "literal, anchored": (LINES, lambda text: "&c |\n" + indented(text, 6)),
    "literal, CR LF": (LINES, lambda text: ("|\n" + indented(text, 6)).replace("\n", "\r\n")),
    "folded": (BROKEN_FLOW, lambda text: ">\n" + indented(text, 6) + "\n"),
    "double-quoted": (LINES, lambda text: f'"{escaped(text)}"\n'),
    "double-quoted, escaped": (LINES, lambda text: '"' + escaped(text).replace(" ", "\\x20") + '"\n'),
    "double-quoted, several lines": (BROKEN_FLOW, lambda text: '"' + text.replace('"', '\\"') + '"\n'),
    "single-quoted": (FLOW, lambda text: f"'{text}'\n"),
}
SWITCHES = ["true", "yes", "True", "on", "&x true", '"true"', "|-\n          true"]
COUNTS = ["5", "0x5", "+5", "5.0", '!!int "5"', "&y 5", "|-\n              5"]
MEMORIES = [
    "38GiB",
    '"38GiB"',
    "'38GiB'",
    "38 GiB",
    "&m 38GiB",
    "!!str 38GiB",
    '"38\\x47iB"',
    "38.5GiB",
    "40802189312",
    ">-\n      38GiB",
    "|-\n      38GiB",
    "|\n      38GiB",
]
MODELS = ["a100-40gb", '"a100-40gb"', "|-\n        a100-40gb", ">\n        a100-40gb"]
PODS = ["19", "1_9", "0b10011"]


def written(config: str, switch: str, count: str, memory: str, model: str, pods: str) -> str:
    text, write = STYLES[config]
    return f"""\
format: 1
horizon: 10m
nodes:
  - name: g
    gpus:
      model: {model}
      count: 4
    config: {write(text.replace("SWITCH", switch).replace("COUNT", count))}\
workloads:
  - name: big
    request: {{nvidia.com/gpu: 1}}
    memory: {memory}
  - name: others
    count: {pods}
    request: {{nvidia.com/gpu: 1}}
    memory: 6GiB # each
"""


@pytest.mark.parametrize("config", STYLES)
def test_a_control_changes_its_value_or_nothing(config: str) -> None:
    plain = ("true", "5", "38GiB", "a100-40gb", "19")
    variants = [
        *((switch, *plain[1:]) for switch in SWITCHES),
        *((plain[0], count, *plain[2:]) for count in COUNTS),
        *((*plain[:2], memory, *plain[3:]) for memory in MEMORIES),
        *((*plain[:3], model, plain[4]) for model in MODELS),
        *((*plain[:4], pods) for pods in PODS),
    ]
    for variant in some(variants):
        text = written(config, *variant)
        before = {shown.id: shown for shown in control_values(LAB, text)}
        assert before["others"].is_present
        for control, value in NEW.items():
            changed = with_change(LAB, text, control, value)
            after = {shown.id: shown for shown in control_values(LAB, changed)}
            assert after[control].value == value or (changed == text and not before[control].is_present), (
                changed
            )
            for other in before:
                assert other == control or after[other] == before[other], (other, changed)
