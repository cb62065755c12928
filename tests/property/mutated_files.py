"""Files as people break them, and as nobody would: known configs and the rules' examples, mutated at random by a seed."""

from __future__ import annotations

import functools
import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from labs.config.documents.kinds import Kind
from labs.lint.core.explanation import explanation
from labs.lint.registry import RULES
from labs.lint.subject.settings import Settings
from tests.property.wrappers import WRAPPERS

CASES = Path(__file__).parents[1] / "cases" / "config.jsonl"
REPORTS = CASES.with_name("reports")
LONGEST = 20_000
"""Characters of a file; mutations that repeat stop growing it there."""

TOKENS = (
    *(
        "- ",
        ": ",
        "? ",
        "<<: *a",
        "|-\n",
        "---\n",
        "...\n",
        "%YAML 1.1\n",
        "&a ",
        "!!str ",
        "!!int ",
        "!x ",
        "version: v1\n",
    ),
    *[
        "[",
        "]",
        "{",
        "}",
        ",",
        "*a",
        "*b",
        "|",
        ">",
        "#",
        "'",
        '"',
        "\\",
        "~",
        "null",
        "true",
        "yes",
        "0",
        "-1",
        "1e3",
        "0x1F",
        "0o17",
        "1_000",
        ".inf",
        ".nan",
        "18446744073709551616",
        "2001-01-01",
    ],
    *[
        "${NAME}",
        "<name>",
        "nvidia.com/gpu",
        "nvidia.com/gpu.shared",
        "nvidia.com/mig-1g.5gb",
        "replicas",
        "mps",
        "timeSlicing",
        "all",
        "0:0",
    ],
    *("maxSurge: 1\n", "maxUnavailable: 0\n", "100%", "OnDelete", "hostPort: 80\n", "minReadySeconds: 0\n"),
    *("{{ .Values.x }}", "GPU-1", "1g.5gb", "3g.20gb+me", "kind: Pod\n", "apiVersion: v1\n"),
    *("# gpulab: ignore[GL201] reason\n", "# gpulab: ignore["),
    *(
        "設定",
        "값",
        "ｎｖｉｄｉａ",
        "“",
        "\u3000",
        "é",
        "👩‍💻",
        "\u0301",
        "ﷺ",
        "\u200b",
        "\u202e",
        "\u2028",
        "\ufeff",
        "\ufffe",
    ),
    *("\t", "\r", "\r\n", "\x00", "\x07", "\x1b[31m", "\x7f", "\x85", "\xa0"),
)
SCALARS = (
    *["~", "0", "1", "2", "-3", "1.5", "true", "no", "'4'", '"x"', "[]", "{}", "日本", "v2"],
    "",
    "[1, a]",
    "{a: b}",
    "|\n  x",
)


DAEMON_SETS = (
    """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin-daemonset, namespace: kube-system}
spec:
  revisionHistoryLimit: 0
  minReadySeconds: 0
  selector:
    matchLabels: {name: nvidia-device-plugin-ds}
    matchExpressions:
    - {key: name, operator: In, values: [nvidia-device-plugin-ds]}
  updateStrategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 10%
  template:
    metadata:
      labels: {name: nvidia-device-plugin-ds}
    spec:
      hostNetwork: true
      restartPolicy: OnFailure
      activeDeadlineSeconds: 60
      tolerations:
      - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
      containers:
      - name: nvidia-device-plugin-ctr
        image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
        args: [--config-file=/config/any.yaml]
        ports:
        - containerPort: 9400
        resources:
          requests: {cpu: 50m}
        volumeMounts:
        - {name: sockets, mountPath: /var/lib/kubelet/device-plugins}
        - {name: config, mountPath: /config}
      volumes:
      - name: sockets
        hostPath: {path: /var/lib/kubelet/device-plugins}
      - name: config
        configMap: {name: sharing}
---
apiVersion: v1
kind: Node
metadata: {name: gpu-node-1}
spec:
  taints: [{key: pool, value: gpu, effect: NoExecute}]
status:
  capacity: {nvidia.com/gpu: 8}
""",
    """\
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
spec:
  strategy:
    maxUnavailable: 1
  updateStrategy: {type: rollingUpdate, rollingUpdate: {maxSurge: "1"}}
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agents}}
    spec:
      containers: [{name: agent, image: agent, ports: [{containerPort: 80, hostPort: 80}]}]
""",
    """\
migStrategy: none
updateStrategy: {type: OnDelete, rollingUpdate: {maxUnavailable: 100%}}
""",
    """\
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata: {name: cluster-policy}
spec:
  daemonsets:
    updateStrategy: RollingUpdate
    rollingUpdate: {maxUnavailable: 1, maxSurge: 1}
""",
)
"""DaemonSets, and settings that become some, with a mistake in every place that a rule looks at."""


@dataclass(frozen=True, slots=True)
class Given:
    """Files that are judged together under these settings; ``kind`` is what the caller says that they are."""

    files: tuple[tuple[str, str], ...]
    settings: Settings
    kind: Kind | None = None


def reported() -> list[tuple[tuple[str, str], ...]]:
    """The files of each report of people: folders, workloads of other programs, pools of nodes, claims."""
    folders = sorted(folder for folder in REPORTS.iterdir() if folder.is_dir())
    files = [
        sorted(file for file in folder.rglob("*.yaml") if file.stat().st_size <= LONGEST)
        for folder in folders
    ]
    return [
        tuple((file.relative_to(folder).as_posix(), file.read_text("utf-8")) for file in inside)
        for folder, inside in zip(folders, files, strict=True)
        if inside
    ]


@functools.cache
def known() -> tuple[Given, ...]:
    """What is mutated: measured configs and every rule's examples."""
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    found = [Given((("config.yaml", case["yaml"]),), Settings(), Kind(case["kind"])) for case in cases]
    for rule in RULES:
        told = explanation(rule)
        found += [
            Given(tuple((file.path, file.text) for file in files), rule.example_settings)
            for files in (told.bad, told.good)
        ]
    found += [Given((("daemonset.yaml", text),), Settings()) for text in DAEMON_SETS]
    found += [Given(files, Settings()) for files in WRAPPERS] * 4
    found += [Given(files, Settings()) for files in reported()] * 2
    return tuple(found)


def mutated(seed: int) -> Given:
    """The files of a seed; the same on every machine."""
    stream = random.Random(seed)
    given = stream.choice(known())
    files = tuple((path, _mutated(text, stream)) for path, text in given.files)
    if stream.random() < 0.1:
        path, text = stream.choice(stream.choice(known()).files)
        files = (*files, (f"more/{path}", _mutated(text, stream)))
    names = [path for path, _ in files]
    kind = given.kind if len(files) == 1 and stream.random() < 0.5 else None
    return Given(files if len(set(names)) == len(names) else files[:1], given.settings, kind)


def _mutated(text: str, stream: random.Random) -> str:
    for _ in range(stream.choice((0, 1, 1, 1, 2, 2, 3, 5, 8))):
        text = stream.choice(MUTATIONS)(text, stream)[:LONGEST]
    return text


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True) or [""]


def _delete_line(text: str, stream: random.Random) -> str:
    lines = _lines(text)
    del lines[stream.randrange(len(lines))]
    return "".join(lines)


def _repeat_line(text: str, stream: random.Random) -> str:
    lines = _lines(text)
    place = stream.randrange(len(lines))
    lines[place:place] = [lines[place]] * stream.choice((1, 1, 1, 2, 20))
    return "".join(lines)


def _repeat_block(text: str, stream: random.Random) -> str:
    lines = _lines(text)
    start, end = sorted(stream.randrange(len(lines) + 1) for _ in range(2))
    return "".join(lines[:end] + lines[start:])


def _swap_lines(text: str, stream: random.Random) -> str:
    lines = _lines(text)
    one, other = (stream.randrange(len(lines)) for _ in range(2))
    lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def _indent(text: str, stream: random.Random) -> str:
    lines = _lines(text)
    start = stream.randrange(len(lines))
    by = stream.choice((-4, -2, -1, 1, 2, 4))
    for place in range(start, min(len(lines), start + stream.choice((1, 1, 2, 5)))):
        kept = lines[place]
        lines[place] = " " * by + kept if by > 0 else kept.removeprefix(" " * -by)
    return "".join(lines)


def _insert(text: str, stream: random.Random) -> str:
    place = stream.randrange(len(text) + 1)
    return text[:place] + stream.choice(TOKENS) + text[place:]


def _drop(text: str, stream: random.Random) -> str:
    place = stream.randrange(len(text) + 1)
    return text[:place] + text[place + stream.choice((1, 1, 2, 5)) :]


def _change_word(text: str, stream: random.Random) -> str:
    words = list(re.finditer(r"[\w./-]{2,}", text))
    if not words:
        return text
    word = stream.choice(words)
    letters = list(word[0])
    place = stream.randrange(len(letters))
    change = stream.randrange(4)
    if change == 0:
        letters[place] = letters[place].swapcase()
    elif change == 1:
        del letters[place]
    elif change == 2:
        letters.insert(place, stream.choice("aeios-_.S1"))
    else:
        letters = list(stream.choice(words)[0])
    return text[: word.start()] + "".join(letters) + text[word.end() :]


def _change_value(text: str, stream: random.Random) -> str:
    values = list(re.finditer(r"(?m)(?<=[:-] )[^\s{\[#][^\n#]*$", text))
    if not values:
        return text
    value = stream.choice(values)
    return text[: value.start()] + stream.choice((*SCALARS, f'"{value[0]}"')) + text[value.end() :]


def _nest(text: str, stream: random.Random) -> str:
    if stream.random() < 0.2:
        return "a: " + "[" * stream.choice((3, 60, 2000)) + text
    keys = (
        "data:\n  config.yaml: |",
        "config:\n  map:\n    default: |",
        "sharing:",
        "spec:",
        "- x:",
        "any: >",
    )
    return f"{stream.choice(keys)}\n" + "".join(f"      {line}" for line in _lines(text))


def _as_config_map(text: str, stream: random.Random) -> str:
    mark = stream.choice(("|", "|-", "|+", "|2", ">", "|  # why"))
    body = "".join(f"    {line}" if line.strip() else line for line in _lines(text))
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: {mark}\n{body}"


def _alias(text: str, stream: random.Random) -> str:
    keys = list(re.finditer(r"(?m)^ *(?:- )?[\w./-]+:(?= |$)", text))
    if len(keys) < 2:
        return text
    one, other = sorted(stream.sample(range(len(keys)), 2))
    first, second = keys[one].end(), keys[other].end()
    merge = stream.random() < 0.3
    indent = " " * (len(keys[other][0]) - len(keys[other][0].lstrip()) + 2)
    use = f"\n{indent}<<: *n" if merge else " *n"
    line_end = text.find("\n", second)
    line_end = len(text) if line_end < 0 else line_end
    return text[:first] + " &n" + text[first:second] + use + text[second if merge else line_end :]


def _several(text: str, stream: random.Random) -> str:
    return text + stream.choice(("---\n", "\n---\n", "\n...\n---\n", "")) + stream.choice(known()).files[0][1]


def _breaks(text: str, stream: random.Random) -> str:
    return text.replace("\n", stream.choice(("\r\n", "\r", "\x85", "\n\n", " # 説明\n")))


def _end(text: str, stream: random.Random) -> str:
    return text[: stream.randrange(len(text) + 1)]


MUTATIONS: Sequence[Callable[[str, random.Random], str]] = (
    *(
        _delete_line,
        _repeat_line,
        _repeat_block,
        _swap_lines,
        _indent,
        _drop,
        _nest,
        _as_config_map,
        _several,
        _breaks,
        _end,
    ),
    *(_insert, _change_word, _change_value, _alias) * 2,
)
