"""Environment and command line of the device plugin."""

from __future__ import annotations

from typing import Any

import pytest

from labs.config.gojson.decode import GoError
from labs.config.plugin.flags import DEPLOYER_ENVIRONMENT, Deployer, given_values
from labs.config.plugin.loader import load


@pytest.mark.parametrize(
    ("env", "args", "values"),
    [
        ({}, [], {}),
        ({"GDS_ENABLED": "", "MOFED_ENABLED": "t"}, [], {"gds-enabled": False, "mofed-enabled": True}),
        ({"DEVICE_LIST_STRATEGY": "envvar, cdi-cri"}, [], {"device-list-strategy": ["envvar", "cdi-cri"]}),
        ({"DEVICE_LIST_STRATEGY": ""}, [], {"device-list-strategy": [""]}),
        ({"NVIDIA_CTK_PATH": "/a", "NVIDIA_CDI_HOOK_PATH": "/b"}, [], {"nvidia-cdi-hook-path": "/b"}),
        ({"IMEX_CHANNEL_IDS": "0x1, 0b10"}, [], {"imex-channel-ids": [1, 2]}),
        ({"MIG_STRATEGY": "single"}, ["--mig-strategy", "mixed"], {"mig-strategy": "mixed"}),
        ({}, ["-gds-enabled", "--mofed-enabled=F"], {"gds-enabled": True, "mofed-enabled": False}),
        (
            {"DEVICE_LIST_STRATEGY": "envvar"},
            ["--device-list-strategy=a", "--device-list-strategy=b,c"],
            {"device-list-strategy": ["a", "b", "c"]},
        ),
        ({}, ["--container-driver-root=/x"], {"driver-root-ctr-path": "/x"}),
        ({}, ["--", "--mig-strategy=mixed"], {}),
    ],
)
def test_flags_come_from_the_environment_and_the_command_line(
    env: dict[str, str], args: list[str], values: dict[str, Any]
) -> None:
    assert given_values(env, args) == values


@pytest.mark.parametrize(
    ("env", "args", "error"),
    [
        (
            {"IMEX_CHANNEL_IDS": "0,x"},
            [],
            'could not parse "0,x" as int slice value from environment variable "IMEX_CHANNEL_IDS" for flag '
            'imex-channel-ids: strconv.ParseInt: parsing "x": invalid syntax',
        ),
        ({}, ["--mig=none"], "flag provided but not defined: -mig"),
        ({}, ["--mig-strategy"], "flag needs an argument: -mig-strategy"),
        ({}, ["---x"], "bad flag syntax: ---x"),
        ({}, ["--gds-enabled=yes"], 'invalid boolean value "yes" for -gds-enabled: parse error'),
    ],
)
def test_a_flag_that_cannot_be_read_stops_the_plugin(
    env: dict[str, str], args: list[str], error: str
) -> None:
    with pytest.raises(GoError) as caught:
        given_values(env, args)

    assert str(caught.value) == error
    assert load("", env=env, args=args).error == error


def test_what_a_deployer_sets_is_dead_in_the_file() -> None:
    answer = load(
        "flags: {migStrategy: mixed, plugin: {deviceListStrategy: volume-mounts}}",
        env=DEPLOYER_ENVIRONMENT[Deployer.OPERATOR],
    )

    assert answer.flags is not None
    assert answer.flags["migStrategy"] == "single"
    assert answer.flags["plugin"]["deviceListStrategy"] == ["cdi-annotations", "cdi-cri"]


def test_the_static_daemonset_sets_nothing() -> None:
    assert DEPLOYER_ENVIRONMENT[Deployer.STATIC] == {}
