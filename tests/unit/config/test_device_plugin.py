"""Rules of the device plugin's loader that no measured case shows on its own.

Expected answers come from the same libraries: sigs.k8s.io/yaml and encoding/json of Go 1.26 into the plugin's config structs.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.config.goyaml.tree import Limits
from labs.config.plugin.loader import (
    Loaded,
    PluginSetting,
    SharedResource,
    SharingStrategy,
    Stage,
    load,
)
from tests.unit.config.cases import CHART_ENVIRONMENT, device_plugin_rows

PARSE = "unable to load config: unable to finalize config: unable to parse config file: error parsing config file: "
TO_JSON = PARSE + "unmarshal error: error converting YAML to JSON: "
DECODE = PARSE + "unmarshal error: error unmarshaling JSON: while decoding JSON: "
GPU_TWICE = "resources: [{name: nvidia.com/gpu, replicas: 2}]"


def effective(text: str, **env: str) -> dict[str, Any]:
    answer = load(text, env=env)
    assert answer.effective is not None, answer.error
    return answer.effective


@pytest.mark.parametrize(
    ("text", "error"),
    [
        # Several errors: members in byte order, type errors wait, a hand-written check stops at once.
        (
            "version: [1]\nflags: {migStrategy: 1}\n",
            DECODE
            + "json: cannot unmarshal number into Go struct field "
            + "Flags.flags.CommandLineFlags.migStrategy of type string",
        ),
        ("flags: 3\nsharing: {timeSlicing: {}}\n", DECODE + "no resources specified"),
        ("version: v9\nsharing: {timeSlicing: {}}\n", DECODE + "no resources specified"),
        # The path of a nested field.
        (
            "flags: {plugin: {passDeviceSpecs: 1}}",
            DECODE
            + "json: cannot unmarshal number into Go struct field "
            + "PluginCommandLineFlags.flags.CommandLineFlags.plugin.passDeviceSpecs of type bool",
        ),
        (
            "resources: {gpus: [{pattern: 1, name: a}]}",
            DECODE
            + "json: cannot unmarshal number into Go struct field Resources.resources.gpus of type v1.ResourcePattern",
        ),
        (
            "imex: {channelIDs: [0, 2.5]}",
            DECODE + "json: cannot unmarshal number 2.5 into Go struct field Imex.imex.channelIDs of type int",
        ),
        # Numbers as Go prints them.
        ("version: 1.10", PARSE + "unknown version: 1.1"),
        ("version: 100000000.0", PARSE + "unknown version: 1e+08"),
        ("version: .inf", PARSE + "unknown version: +Inf"),
        ("a: {b: .nan}", TO_JSON + "json: unsupported value: NaN"),
        # Keys that are no strings.
        ("18446744073709551615: a", TO_JSON + 'unsupported map key of type: uint64, key: 0xffffffffffffffff, value: "a"'),
        ("{{a: 1, 2: ~}: 3}", TO_JSON + 'yaml: invalid map key: map[interface {}]interface {}{"a":1, 2:interface {}(nil)}'),
        # JSON inside an error escapes what HTML would take for markup.
        (
            f"sharing: {{mps: {{{GPU_TWICE[:-2]}, devices: {{<: '&\u2028'}}}}]}}}}",
            DECODE + 'unrecognized type for devices spec: {"\\u003c":"\\u0026\\u2028"}',
        ),
        # Durations.
        ("flags: {gfd: {sleepInterval: 5 m}}", DECODE + 'time: unknown unit " m" in duration "5 m"'),
        (
            "flags: {gfd: {sleepInterval: 5분}}",
            DECODE + 'time: unknown unit "\\xeb\\xb6\\x84" in duration "5\\xeb\\xb6\\x84"',
        ),
        ("flags: {gfd: {sleepInterval: 9223372037s}}", DECODE + 'time: invalid duration "9223372037s"'),
    ],
)  # fmt: skip
def test_an_error_is_told_in_the_plugins_words(text: str, error: str) -> None:
    answer = load(text)

    assert (answer.loads, answer.stage, answer.error) == (False, Stage.LOAD, error)


@pytest.mark.parametrize(
    "devices",
    [
        "[MIG-4f2b7c9e-1d3a-4b5c-8d6e-7f8091a2b3c4]",
        "[MIG-GPU-4f2b7c9e-1d3a-4b5c-8d6e-7f8091a2b3c4/3/0]",
        "[GPU-4f2b7c9e1d3a4b5c8d6e7f8091a2b3c4]",
        "['GPU-{4f2b7c9e-1d3a-4b5c-8d6e-7f8091a2b3c4}']",
        "['GPU-urn:uuid:4f2b7c9e-1d3a-4b5c-8d6e-7f8091a2b3c4']",
        "[0, ~, '1:2']",
        "1e1",
    ],
)
def test_all_forms_of_a_device_are_taken_and_ignored_with_a_warning(devices: str) -> None:
    answer = load(
        f"sharing: {{timeSlicing: {{resources: [{{name: gpu, replicas: 2, devices: {devices}}}]}}}}"
    )

    assert answer.warnings == (
        "W: Customizing the 'devices' field in sharing.timeSlicing.resources is not yet supported in the config. "
        "Ignoring...",
    )


def test_of_two_spellings_of_a_key_the_later_in_byte_order_is_decoded_over_the_other() -> None:
    shown = effective(
        "sharing:\n"
        "  timeSlicing: {renameByDefault: true, resources: [{name: gpu, replicas: 2}, {name: b, replicas: 3}]}\n"
        "  timeslicing: {resources: [{name: gpu, replicas: 7}]}\n"
    )

    assert shown["sharing"]["timeSlicing"] == {
        "resources": [{"name": "nvidia.com/gpu", "devices": "all", "replicas": 7}]
    }


def test_a_common_flag_under_plugin_empties_the_flag() -> None:
    answer = load("flags: {plugin: {migStrategy: single}}")

    assert (answer.stage, answer.error) == (
        Stage.VALIDATE,
        "unable to validate flags: unknown MIG strategy: ",
    )
    shown = effective("flags: {plugin: {failOnInitError: true}, gfd: {mpsRoot: /a}}")
    assert (shown["flags"]["failOnInitError"], shown["flags"]["mpsRoot"]) == (False, "")


def test_the_first_flag_that_is_wrong_is_named() -> None:
    answer = load(
        "flags: {migStrategy: x, plugin: {deviceIDStrategy: name, deviceListStrategy: [envvar, z]}}"
    )

    assert (
        answer.error == "unable to validate flags: invalid --device-list-strategy option: invalid strategy: z"
    )


def test_the_setting_is_that_of_the_block_in_effect() -> None:
    answer = load(
        "sharing:\n"
        f"  timeSlicing: {{failRequestsGreaterThanOne: false, {GPU_TWICE}}}\n"
        "  mps: {renameByDefault: true, resources: [{name: nvidia.com/gpu, replicas: 3}]}\n",
        env=CHART_ENVIRONMENT,
    )

    assert answer.setting == PluginSetting(
        mig_strategy="none",
        strategy=SharingStrategy.MPS,
        resources=(SharedResource("nvidia.com/gpu", 3, "nvidia.com/gpu.shared"),),
        rename_by_default=True,
        fail_requests_greater_than_one=True,
        allocation_policy="distributed",
        mps_root="/run/nvidia/mps",
    )


def test_bytes_are_judged_as_go_yaml_does() -> None:
    assert load("version: v1\n".encode("utf-16")).loads
    assert load(b"version: v\xff").error == TO_JSON + "yaml: invalid leading UTF-8 octet"
    assert load(b"version: v\xe0\x80").error == TO_JSON + "yaml: incomplete UTF-8 octet sequence"


def test_a_text_beyond_our_limits_is_told_from_one_that_the_plugin_refuses() -> None:
    deep = load("a: " + "[" * 50 + "]" * 50, limits=Limits(depth=20))

    assert (deep.loads, deep.limit) == (False, "nested more than 20 levels deep")


@pytest.mark.parametrize(
    "text",
    [
        "version: " + "9" * 5000,
        "a: 0x" + "f" * 5000,
        "a: 0b-" + "1" * 5000,
        "a: 1e" + "9" * 5000,
        "flags: {gfd: {sleepInterval: " + "9" * 5000 + "s}}",
        "flags: {gfd: {sleepInterval: 1." + "9" * 5000 + "s}}",
        "sharing: {mps: {resources: [{name: gpu, replicas: 2, devices: ['" + "9" * 5000 + "']}]}}",
        "sharing: {mps: {resources: [{name: gpu, replicas: " + "9" * 5000 + "}]}}",
    ],
    ids=lambda text: text[:20],
)
def test_numbers_of_thousands_of_digits_are_answered(text: str) -> None:
    assert answered(load(text, env=CHART_ENVIRONMENT))


SEEDS = [row["yaml"] for row in device_plugin_rows()]


def answered(answer: Loaded) -> bool:
    """Whether an answer is whole: an error and where it came from, or all that a loaded config has."""
    if answer.loads:
        return answer.error is None and None not in (answer.strategy, answer.effective, answer.setting)
    return bool(answer.error) and answer.stage is not None and answer.setting is None


@given(st.sampled_from(SEEDS), st.data())
def test_any_change_to_a_config_gets_a_whole_answer(seed: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(seed)))
    end = data.draw(st.integers(start, min(len(seed), start + 5)))
    piece = data.draw(
        st.one_of(st.text(max_size=4), st.sampled_from(["- ", ": ", "{", "[", "*a", "&a ", "<<: ", "\t"]))
    )

    answer = load(seed[:start] + piece + seed[end:], env=CHART_ENVIRONMENT)

    assert answered(answer)


@given(st.binary(max_size=80))
def test_any_bytes_get_a_whole_answer(data: bytes) -> None:
    assert answered(load(data))


@pytest.mark.parametrize(
    ("text", "path", "code"),
    [
        ("Flags: {PLUGIN: {passDeviceSpecs: 1}}", ("Flags", "PLUGIN", "passDeviceSpecs"), "type"),
        ("imex: {channelIDs: [0, a]}", ("imex", "channelIDs", 1), "type"),
        ("flags: {plugin: {deviceListStrategy: [a, 1, 2]}}", ("flags", "plugin", "deviceListStrategy", 1), "device-list"),
        ("flags: {gfd: {sleepInterval: 60 s}}", ("flags", "gfd", "sleepInterval"), "duration"),
        ("resources: {mig: [{pattern: a}]}", ("resources", "mig", 0, "name"), "missing"),
        (f"sharing: {{mps: {{{GPU_TWICE[:-2]}}}, {{name: a_b}}]}}}}", ("sharing", "mps", "resources", 1, "name"), "name"),
        ("sharing: {mps: {resources: []}}", ("sharing", "mps", "resources"), "empty"),
        ("version: v2", ("version",), "version"),
        ("flags: {migStrategy: mixd}", ("flags", "migStrategy"), "flag"),
        ("imex: {channelIDs: [1]}", ("imex", "channelIDs"), "imex"),
        ("a: [{b: .inf}]", ("a", 0, "b"), "number"),
        ("a: [{null: 1}]", ("a", 0), "key"),
    ],
)  # fmt: skip
def test_a_mistake_has_its_path_in_the_file_and_its_kind(
    text: str, path: tuple[str | int, ...], code: str
) -> None:
    answer = load(text)
    assert answer.mistake is not None
    assert (answer.mistake.path, answer.mistake.code) == (path, code)
    assert answer.error is not None
    assert answer.error.endswith(answer.mistake.text)
