"""The device plugin's flags: defaults, environment variables, command line, and what each deployer sets.

Precedence is command line, environment, file, default (`cmd/nvidia-device-plugin/main.go` v0.20.0, urfave/cli v2).
Nothing under `sharing` can be set here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from labs.config.gojson import GoError, Json
from labs.config.goyaml import parse_int, quote
from labs.config.plugin.schema import FLAGS, Flag


class Deployer(StrEnum):
    """Who writes the plugin's DaemonSet."""

    OPERATOR = "operator"
    HELM = "helm"
    STATIC = "static"


DEPLOYER_ENVIRONMENT: Mapping[Deployer, Mapping[str, str]] = MappingProxyType(
    {
        Deployer.OPERATOR: MappingProxyType(
            {
                "MIG_STRATEGY": "single",
                "PASS_DEVICE_SPECS": "true",
                "FAIL_ON_INIT_ERROR": "true",
                "DEVICE_LIST_STRATEGY": "cdi-annotations,cdi-cri",
                "DEVICE_ID_STRATEGY": "uuid",
                "MPS_ROOT": "/run/nvidia/mps",
            }
        ),
        Deployer.HELM: MappingProxyType({"MPS_ROOT": "/run/nvidia/mps"}),
        Deployer.STATIC: MappingProxyType({}),
    }
)
"""What a deployer always sets, with its own defaults: the same key in the file is dead."""

CHART_ENVIRONMENT = {
    "migStrategy": "MIG_STRATEGY",
    "failOnInitError": "FAIL_ON_INIT_ERROR",
    "deviceListStrategy": "DEVICE_LIST_STRATEGY",
    "deviceIDStrategy": "DEVICE_ID_STRATEGY",
    "nvidiaDriverRoot": "NVIDIA_DRIVER_ROOT",
    "gdrcopyEnabled": "GDRCOPY_ENABLED",
    "gdsEnabled": "GDS_ENABLED",
    "mofedEnabled": "MOFED_ENABLED",
    "deviceDiscoveryStrategy": "DEVICE_DISCOVERY_STRATEGY",
}
"""Values of the device plugin's chart and the environment variable that each becomes."""


_ALIASES = {
    "nvidia-ctk-path": "nvidia-cdi-hook-path",
    "container-driver-root": "driver-root-ctr-path",
    "nvidia-dev-root": "dev-root",
}
_BY_NAME = {flag.name: flag for flag in FLAGS}
_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})
_FLAG_ARGUMENT = re.compile("--?(?P<name>[^=-][^=]*)(?:=(?P<value>.*))?", re.DOTALL)


def given_values(env: Mapping[str, str], args: Sequence[str]) -> dict[str, Json]:
    """The flags that environment or command line set, by flag name; raises `GoError` in the plugin's words."""
    values: dict[str, Json] = {}
    try:
        for flag in FLAGS:
            name = next((name for name in flag.env if name in env), None)
            if name is not None:
                values[flag.name] = _from_env(flag, name, env[name])
        values.update(_from_args(args))
    except GoError as error:
        error.code = "environment"
        raise
    return values


def _from_env(flag: Flag, variable: str, text: str) -> Json:
    source = f'environment variable "{variable}"'
    if flag.kind == "string":
        return text
    if flag.kind == "bool":
        if text == "":
            return False
        if text in _TRUE or text in _FALSE:
            return text in _TRUE
        raise GoError(
            f"could not parse {quote(text)} as bool value from {source} for flag {flag.name}: "
            f"strconv.ParseBool: parsing {quote(text)}: invalid syntax"
        )
    items = [item.strip() for item in text.split(",")]
    if flag.kind == "list":
        return items
    try:
        return [_int(item) for item in items]
    except GoError as error:
        raise GoError(
            f"could not parse {quote(text)} as int slice value from {source} for flag {flag.name}: {error}"
        ) from None


def _int(text: str) -> int:
    """`strconv.ParseInt(text, 0, 64)`; raises `GoError`."""
    value = parse_int(_without_underscores(text))
    if value is None or not -(1 << 63) <= value < 1 << 63:
        reason = "value out of range" if re.fullmatch("[+-]?[0-9]{19,}", text) else "invalid syntax"
        raise GoError(f"strconv.ParseInt: parsing {quote(text)}: {reason}")
    return value


def _without_underscores(text: str) -> str:
    """Underscores between digits, which base 0 allows, taken out; a text with others is left to be refused."""
    allowed = re.fullmatch(r"[+-]?(?:0[xXbBoO]?_?)?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*", text)
    return text.replace("_", "") if allowed else text


def _from_args(args: Sequence[str]) -> dict[str, Json]:
    """The command line as Go's `flag` package reads it: `-name=value`, `--name value`, a bool alone is true."""
    values: dict[str, Json] = {}
    lists: dict[str, list[Json]] = {}
    rest = list(args)
    while rest:
        argument = rest.pop(0)
        if len(argument) < 2 or not argument.startswith("-") or argument == "--":
            break
        match = _FLAG_ARGUMENT.fullmatch(argument)
        if match is None:
            raise GoError(f"bad flag syntax: {argument}")
        name = match["name"]
        flag = _BY_NAME.get(_ALIASES.get(name, name))
        if flag is None:
            raise GoError(f"flag provided but not defined: -{name}")
        value = match["value"]
        if value is None:
            if flag.kind == "bool":
                value = "true"
            elif rest:
                value = rest.pop(0)
            else:
                raise GoError(f"flag needs an argument: -{name}")
        _set(flag, name, value, values, lists)
    return {**values, **lists}


def _set(flag: Flag, name: str, text: str, values: dict[str, Json], lists: dict[str, list[Json]]) -> None:
    if flag.kind == "bool":
        if text not in _TRUE and text not in _FALSE:
            raise GoError(f"invalid boolean value {quote(text)} for -{name}: parse error")
        values[flag.name] = text in _TRUE
    elif flag.kind == "list":
        lists.setdefault(flag.name, []).extend(item.strip() for item in text.split(","))
    elif flag.kind == "ints":
        try:
            numbers = [_int(item.strip()) for item in text.split(",")]
        except GoError as error:
            raise GoError(f"invalid value {quote(text)} for flag -{name}: {error}") from None
        lists.setdefault(flag.name, []).extend(numbers)
    else:
        values[flag.name] = text
