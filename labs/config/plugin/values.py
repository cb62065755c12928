"""The values that the device plugin's config checks by hand: resource names, device references, durations.

Source: NVIDIA/k8s-device-plugin, `api/config/v1` (`resources.go`, `replicas.go`, `duration.go`), v0.20.0.
"""

from __future__ import annotations

import re

from labs.config.gojson import GoError, Json, dump, kind, unmarshal_int, unmarshal_text
from labs.config.gojson import number as json_number

RESOURCE_PREFIX = "nvidia.com"
MAX_RESOURCE_NAME_LENGTH = 63
SHARED_SUFFIX = ".shared"

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN_PATTERN = rf"{_LABEL}(\.{_LABEL})*"
_SUBDOMAIN = re.compile(_SUBDOMAIN_PATTERN)
_SUBDOMAIN_PROBLEM = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN_PATTERN}')"
)
_UUID_HEX = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_UUID_BARE = re.compile(r"[0-9a-fA-F]{32}")
_DIGITS = re.compile(r"[0-9]+")
_NUMBER_UNIT = re.compile(r"(?P<whole>[0-9]*)(?P<point>\.?)(?P<fraction>[0-9]*)(?P<unit>[^0-9.]*)")
_UNITS_NS = {
    "ns": 1, "us": 1_000, "\u00b5s": 1_000, "\u03bcs": 1_000, "ms": 1_000_000,
    "s": 1_000_000_000, "m": 60_000_000_000, "h": 3_600_000_000_000,
}  # fmt: skip
_INT64 = 1 << 63
_INT64_DIGITS = 19
_UINT64_MAX = (1 << 64) - 1


def resource_name(raw: str) -> str:
    """The full name of a resource, `nvidia.com/` added where it is missing; raises `GoError`."""
    name = raw if raw.startswith(RESOURCE_PREFIX + "/") else f"{RESOURCE_PREFIX}/{raw}"
    if len(name.encode("utf-8", "surrogatepass")) > MAX_RESOURCE_NAME_LENGTH:
        limit = MAX_RESOURCE_NAME_LENGTH
        raise GoError(
            f"fully-qualified resource name must be {limit} characters or less: {name}", code="name-long"
        )
    if _SUBDOMAIN.fullmatch(name.partition("/")[2]) is None:
        raise GoError(f"incorrect format for resource name '{name}': [{_SUBDOMAIN_PROBLEM}]", code="name")
    return name


def unmarshal_resource_name(value: Json) -> str:
    """`ResourceName.UnmarshalJSON`: null counts as an empty name."""
    return resource_name(unmarshal_text(value) or "")


def default_shared_rename(name: str) -> str:
    """What `renameByDefault` makes of a resource's name."""
    return name + SHARED_SUFFIX


def check_devices(value: Json) -> bool:
    """`ReplicatedDevices.UnmarshalJSON`: whether the value means all devices; raises `GoError` where it is none."""
    if value is None or isinstance(value, str):
        if value != "all":
            raise GoError(
                f"devices set as '{value or ''}' but the only valid string input is 'all'", code="devices"
            )
        return True
    if kind(value) == "number":
        try:
            count = unmarshal_int(value) or 0
        except GoError:
            count = None
        if count is not None:
            if count <= 0:
                raise GoError(f"devices set as '{count}' but a count of devices must be > 0", code="devices")
            return False
    if isinstance(value, list):
        for item in value:
            _check_device(item)
        return False
    raise GoError(f"unrecognized type for devices spec: {dump(value)}", code="devices")


def _check_device(item: Json) -> None:
    if item is None:
        return
    if kind(item) == "number" and _is_uint(json_number(item)):
        return
    text = item if isinstance(item, str) else ""
    if not (isinstance(item, str) and is_device_reference(text)):
        raise GoError(f"unsupported type for device in devices list: {text}, string", code="devices")


def is_device_reference(text: str) -> bool:
    """Whether a text names a device: an index, `GPU:MIG` indexes, or the UUID of a GPU or a MIG device."""
    parts = text.split(":", 1)
    return all(_is_uint(part) for part in parts) or _is_gpu_uuid(text) or _is_mig_uuid(text)


def _is_uint(text: str) -> bool:
    if _DIGITS.fullmatch(text) is None:
        return False
    digits = text.lstrip("0") or "0"
    return len(digits) <= _INT64_DIGITS + 1 and int(digits) <= _UINT64_MAX


def _is_gpu_uuid(text: str) -> bool:
    return text.startswith("GPU-") and _is_uuid(text.removeprefix("GPU-"))


def _is_mig_uuid(text: str) -> bool:
    if not text.startswith("MIG-"):
        return False
    suffix = text.removeprefix("MIG-")
    if _is_uuid(suffix):
        return True
    parts = suffix.split("/", 2)
    return len(parts) == 3 and _is_gpu_uuid(parts[0]) and all(_is_uint(part) for part in parts[1:])


def _is_uuid(text: str) -> bool:
    """`uuid.Parse` of google/uuid: with or without dashes, as a URN, or in braces (which it does not look at)."""
    if len(text.encode("utf-8", "surrogatepass")) != len(text):
        return False
    if len(text) == 45 and text[:9].lower() == "urn:uuid:":
        text = text[9:]
    elif len(text) == 38:
        text = text[1:37]
    elif len(text) == 32:
        return _UUID_BARE.fullmatch(text) is not None
    return _UUID_HEX.fullmatch(text) is not None


def check_duration(value: Json) -> None:
    """`Duration.UnmarshalJSON`: a number of nanoseconds, `infinite` or a Go duration; raises `GoError`."""
    if isinstance(value, str):
        if value != "infinite":
            parse_duration(value)
    elif kind(value) != "number":
        raise GoError("invalid duration", code="duration")


def parse_duration(text: str) -> int:
    """`time.ParseDuration` in nanoseconds, rounded towards zero as Go does; raises `GoError` in its words."""
    invalid = f"time: invalid duration {_time_quote(text)}"
    rest = text
    negative = rest.startswith("-")
    if rest[:1] in ("-", "+"):
        rest = rest[1:]
    if rest == "0":
        return 0
    if rest == "":
        raise GoError(invalid, code="duration")
    total = 0
    while rest:
        match = _NUMBER_UNIT.match(rest)
        assert match is not None
        whole, fraction, unit = match["whole"].lstrip("0"), match["fraction"], match["unit"]
        if not match["whole"] and not fraction:
            raise GoError(invalid, code="duration")
        if len(whole) > _INT64_DIGITS or int(whole or "0") > _INT64:
            raise GoError(invalid, code="duration")
        if not unit:
            raise GoError(f"time: missing unit in duration {_time_quote(text)}", code="duration-unit")
        if unit not in _UNITS_NS:
            raise GoError(
                f"time: unknown unit {_time_quote(unit)} in duration {_time_quote(text)}", code="duration"
            )
        total += int(whole or "0") * _UNITS_NS[unit]
        fraction = fraction[:_INT64_DIGITS]
        if fraction:
            total += int(fraction) * _UNITS_NS[unit] // 10 ** len(fraction)
        if total > _INT64:
            raise GoError(invalid, code="duration")
        rest = rest[match.end() :]
    if negative:
        return -total
    if total >= _INT64:
        raise GoError(invalid, code="duration")
    return total


def _time_quote(text: str) -> str:
    """A text as package `time` quotes it in errors: bytes outside printable ASCII as `\\xNN`."""
    parts: list[str] = []
    for char in text:
        if char < " " or char >= "\x80":
            parts.extend(f"\\x{octet:02x}" for octet in char.encode("utf-8", "surrogatepass"))
        else:
            parts.append("\\" + char if char in '"\\' else char)
    return '"' + "".join(parts) + '"'
