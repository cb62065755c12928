"""The device plugin's flags, one by one, and what each is where nothing sets it.

Source: NVIDIA/k8s-device-plugin v0.20.0, `cmd/nvidia-device-plugin/main.go` (names, variables, defaults) and `api/config/v1`.
"""

from __future__ import annotations

from typing import Any

import pytest

from labs.config.plugin import schema
from labs.config.plugin.flags import CHART_ENVIRONMENT, DEPLOYER_ENVIRONMENT, Deployer, given_values
from labs.config.plugin.loader import load

FLAGS: list[tuple[str, tuple[str, ...], tuple[str, ...], Any, str, Any]] = [
    ("mig-strategy", ("MIG_STRATEGY",), ("migStrategy",), "none", "mixed", "mixed"),
    ("fail-on-init-error", ("FAIL_ON_INIT_ERROR",), ("failOnInitError",), True, "false", False),
    ("mps-root", ("MPS_ROOT",), ("mpsRoot",), "", "/mps", "/mps"),
    ("nvidia-driver-root", ("NVIDIA_DRIVER_ROOT",), ("nvidiaDriverRoot",), "/", "/driver", "/driver"),
    ("dev-root", ("NVIDIA_DEV_ROOT",), ("nvidiaDevRoot",), "/", "/dev-root", "/dev-root"),
    ("gdrcopy-enabled", ("GDRCOPY_ENABLED",), ("gdrcopyEnabled",), False, "true", True),
    ("gds-enabled", ("GDS_ENABLED",), ("gdsEnabled",), False, "true", True),
    ("mofed-enabled", ("MOFED_ENABLED",), ("mofedEnabled",), False, "true", True),
    ("device-discovery-strategy", ("DEVICE_DISCOVERY_STRATEGY",), ("deviceDiscoveryStrategy",), "auto", "nvml", "nvml"),
    ("pass-device-specs", ("PASS_DEVICE_SPECS",), ("plugin", "passDeviceSpecs"), False, "true", True),
    ("device-list-strategy", ("DEVICE_LIST_STRATEGY",), ("plugin", "deviceListStrategy"), ["envvar"], "cdi-cri", ["cdi-cri"]),
    ("device-id-strategy", ("DEVICE_ID_STRATEGY",), ("plugin", "deviceIDStrategy"), "uuid", "index", "index"),
    ("cdi-annotation-prefix", ("CDI_ANNOTATION_PREFIX",), ("plugin", "cdiAnnotationPrefix"), "cdi.k8s.io/", "a/", "a/"),
    (
        "nvidia-cdi-hook-path", ("NVIDIA_CDI_HOOK_PATH", "NVIDIA_CTK_PATH"), ("plugin", "nvidiaCTKPath"),
        "/usr/bin/nvidia-ctk", "/hook", "/hook",
    ),
    (
        "driver-root-ctr-path", ("DRIVER_ROOT_CTR_PATH", "CONTAINER_DRIVER_ROOT"), ("plugin", "containerDriverRoot"),
        "/driver-root", "/root", "/root",
    ),
    (
        "shared-devices-allocation-policy", ("SHARED_DEVICES_ALLOCATION_POLICY",),
        ("plugin", "sharedDevicesAllocationPolicy"), "distributed", "packed", "packed",
    ),
]  # fmt: skip
IDS = [flag[0] for flag in FLAGS]


def shown(path: tuple[str, ...], text: str = "", **given: Any) -> Any:
    """What the plugin goes by for a flag."""
    answer = load(text, **given)
    assert answer.flags is not None, answer.error
    value: Any = answer.flags
    for key in path:
        value = value[key]
    return value


def in_file(path: tuple[str, ...], value: Any) -> str:
    """A config that sets a flag."""
    written = repr(value).lower() if isinstance(value, bool) else str(value).replace("'", '"')
    return "flags: " + "".join(f"{{{key}: " for key in path) + written + "}" * len(path)


@pytest.mark.parametrize(("name", "variables", "path", "default", "text", "value"), FLAGS, ids=IDS)
def test_a_flag_has_a_default_and_is_set_in_the_file_by_variables_and_on_the_command_line(
    name: str, variables: tuple[str, ...], path: tuple[str, ...], default: Any, text: str, value: Any
) -> None:
    assert shown(path) == default
    assert shown(path, in_file(path, value)) == value
    assert [shown(path, env={variable: text}) for variable in variables] == [value] * len(variables)
    assert shown(path, args=[f"--{name}={text}"]) == value


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("nvidia-ctk-path", "nvidia-cdi-hook-path"),
        ("container-driver-root", "driver-root-ctr-path"),
        ("nvidia-dev-root", "dev-root"),
    ],
)
def test_a_flag_has_another_name_on_the_command_line(alias: str, name: str) -> None:
    assert given_values({}, [f"--{alias}=/a"]) == {name: "/a"}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (("plugin", "deviceListStrategy"), ("envvar", "volume-mounts", "cdi-annotations", "cdi-cri")),
        (("plugin", "deviceIDStrategy"), ("uuid", "index")),
        (("deviceDiscoveryStrategy",), ("auto", "nvml", "tegra")),
        (("migStrategy",), ("none", "single", "mixed")),
        (("plugin", "sharedDevicesAllocationPolicy"), ("distributed", "packed")),
    ],
)
def test_a_flag_of_words_takes_these_and_no_others(path: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert schema.FLAG_WORDS[path[-1]] == words
    assert [load(in_file(path, word)).loads for word in words] == [True] * len(words)
    refused = load(in_file(path, "other"))
    assert (refused.loads, refused.mistake and refused.mistake.path) == (False, ("flags", *path))


def test_the_settings_of_imex_have_flags_too() -> None:
    by_variable = load("", env={"IMEX_CHANNEL_IDS": "0", "IMEX_REQUIRED": "true"})
    by_argument = load("", args=["--imex-channel-ids=0", "--imex-required"])
    by_file = load("imex: {channelIDs: [0], required: true}")
    effective = [one.effective for one in (by_variable, by_argument, by_file, load(""))]
    assert [one and one["imex"] for one in effective] == [{"channelIDs": [0], "required": True}] * 3 + [{}]


@pytest.mark.parametrize(
    ("ids", "loads"), [("[]", True), ("[0]", True), ("[1]", False), ("[0, 0]", False), ("[-1]", False)]
)
def test_the_only_imex_channel_is_0(ids: str, loads: bool) -> None:
    assert load(f"imex: {{channelIDs: {ids}}}").loads is loads


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9223372036854775807", (1 << 63) - 1),
        ("-9223372036854775808", -(1 << 63)),
        ("0x7fffffffffffffff", (1 << 63) - 1),
        ("1_000", 1000),
        ("0x_1f", 31),
        ("0b1_1", 3),
        ("0o1_7", 15),
        ("0_7", 7),
        ("+5", 5),
        ("9223372036854775808", "value out of range"),
        ("-9223372036854775809", "value out of range"),
        ("99999999999999999999", "value out of range"),
        ("_1", "invalid syntax"),
        ("1_", "invalid syntax"),
        ("1__0", "invalid syntax"),
        ("0b2", "invalid syntax"),
        ("", "invalid syntax"),
        ("a", "invalid syntax"),
    ],
)
def test_a_channel_is_a_number_of_go(text: str, value: int | str) -> None:
    for env, args in (({"IMEX_CHANNEL_IDS": text}, []), ({}, [f"--imex-channel-ids={text}"])):
        if isinstance(value, int):
            assert given_values(env, args) == {"imex-channel-ids": [value]}
        else:
            with pytest.raises(ValueError, match=f"{value}$"):
                given_values(env, args)


@pytest.mark.parametrize(
    ("args", "values"),
    [
        (["-"], {}),
        (["x", "--mig-strategy=mixed"], {}),
        (["", "--mig-strategy=mixed"], {}),
        (["--mig-strategy="], {"mig-strategy": ""}),
        (["--mig-strategy=a=b"], {"mig-strategy": "a=b"}),
        (["--mig-strategy=a\nb"], {"mig-strategy": "a\nb"}),
        (["--mig-strategy", "--gds-enabled"], {"mig-strategy": "--gds-enabled"}),
        (["--gds-enabled", "false"], {"gds-enabled": True}),
        (["--mig-strategy=a", "-mig-strategy=b"], {"mig-strategy": "b"}),
        (["--imex-channel-ids=1, 2", "--imex-channel-ids=3"], {"imex-channel-ids": [1, 2, 3]}),
        (["--device-list-strategy=a , b"], {"device-list-strategy": ["a", "b"]}),
    ],
)
def test_the_command_line_is_read_as_gos_flag_package_does(args: list[str], values: dict[str, Any]) -> None:
    assert given_values({}, args) == values


@pytest.mark.parametrize("argument", ["--=a", "-=a", "---mig-strategy"])
def test_an_argument_without_a_name_is_refused(argument: str) -> None:
    with pytest.raises(ValueError, match=r"^bad flag syntax: "):
        given_values({}, [argument])


def test_each_deployer_sets_its_own_flags() -> None:
    assert {deployer: given_values(env, []) for deployer, env in DEPLOYER_ENVIRONMENT.items()} == {
        Deployer.OPERATOR: {
            "mig-strategy": "single",
            "pass-device-specs": True,
            "fail-on-init-error": True,
            "device-list-strategy": ["cdi-annotations", "cdi-cri"],
            "device-id-strategy": "uuid",
            "mps-root": "/run/nvidia/mps",
        },
        Deployer.HELM: {"mps-root": "/run/nvidia/mps"},
        Deployer.STATIC: {},
    }


def test_each_value_of_the_chart_becomes_a_variable_that_the_plugin_reads() -> None:
    keys = {path[-1]: variables for _, variables, path, *_ in FLAGS}
    assert len(CHART_ENVIRONMENT) == 9
    assert all(variable in keys[key] for key, variable in CHART_ENVIRONMENT.items())
    assert set(CHART_ENVIRONMENT) >= {
        "migStrategy",
        "failOnInitError",
        "deviceListStrategy",
        "deviceIDStrategy",
    }
