"""A DaemonSet's update strategy: its defaults, the API server's validation in its own words, and rounding.

Sources: Kubernetes `pkg/apis/apps/v1/defaults.go` (SetDefaults_DaemonSet), `pkg/apis/apps/validation/validation.go`
(ValidateDaemonSetUpdateStrategy, ValidateRollingUpdateDaemonSet), `pkg/controller/daemon/util/daemonset_util.go`
(UnavailableCount, SurgeCount).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum

IntOrPercent = int | str  # a whole number, or text that should be a percentage such as "10%"

PERCENT = re.compile(r"[0-9]+%")
PERCENT_WORDS = (
    "a valid percent string must be a numeric string followed by an ending '%' "
    "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
)
_MOST, _LONGEST = 2**63 - 1, 19  # of Go's int, and its digits
ROLLING_UPDATE, ON_DELETE = "RollingUpdate", "OnDelete"
DEFAULT_MAX_UNAVAILABLE, DEFAULT_MAX_SURGE = 1, 0


class RefusalKind(StrEnum):
    """Why a field is refused, as `field.ErrorType` prints it."""

    REQUIRED = "Required value"
    INVALID = "Invalid value"
    NOT_SUPPORTED = "Unsupported value"


@dataclass(frozen=True, slots=True)
class StrategyRefusal:
    """One error of the API server: the field's path below `spec`, the value as Go prints it ("" for none)."""

    field: str
    kind: RefusalKind
    value: str
    detail: str

    def __str__(self) -> str:
        value = f": {self.value}" if self.value else ""
        return f"spec.{self.field}: {self.kind}{value}: {self.detail}"


@dataclass(frozen=True, slots=True)
class UpdateStrategy:
    """`spec.updateStrategy` with the defaults filled in."""

    type: str = ROLLING_UPDATE
    max_unavailable: IntOrPercent = DEFAULT_MAX_UNAVAILABLE
    max_surge: IntOrPercent = DEFAULT_MAX_SURGE
    has_rolling_update: bool = False  # whether the file wrote `rollingUpdate`

    @property
    def rolls(self) -> bool:
        """Whether the controller replaces old Pods by itself."""
        return self.type == ROLLING_UPDATE

    @property
    def allows_surge(self) -> bool:
        """Whether a new Pod may run beside the old one."""
        return self.rolls and numeric(self.max_surge) != 0


def refusals(strategy: UpdateStrategy, min_ready_seconds: int = 0) -> tuple[StrategyRefusal, ...]:
    """What the API server says against the spec, in its order; empty where it accepts."""
    reasons: list[StrategyRefusal] = []
    if min_ready_seconds < 0:
        reasons.append(_negative("minReadySeconds", min_ready_seconds))
    if strategy.type == ROLLING_UPDATE:
        reasons += _rolling_refusals(strategy)
    elif strategy.type != ON_DELETE:
        supported = f'supported values: "{ROLLING_UPDATE}", "{ON_DELETE}"'
        # Go prints the whole struct; its pointer is an address that differs from time to time.
        pointer = "0xc0\u2026" if strategy.has_rolling_update else "nil"
        struct = (
            f"apps.DaemonSetUpdateStrategy{{Type:{json.dumps(strategy.type, ensure_ascii=False)}, "
            f"RollingUpdate:(*apps.RollingUpdateDaemonSet)({pointer})}}"
        )
        reasons.append(StrategyRefusal("updateStrategy", RefusalKind.NOT_SUPPORTED, struct, supported))
    return tuple(reasons)


def _rolling_refusals(strategy: UpdateStrategy) -> list[StrategyRefusal]:
    unavailable, surge = "rollingUpdate.maxUnavailable", "rollingUpdate.maxSurge"
    both = (
        (f"updateStrategy.{unavailable}", strategy.max_unavailable),
        (f"updateStrategy.{surge}", strategy.max_surge),
    )
    reasons = [refusal for field, value in both for refusal in _form_refusals(field, value)]
    for field, value in both:
        if isinstance(value, str) and PERCENT.fullmatch(value) and numeric(value) > 100:
            reasons.append(_invalid(field, value, "must not be greater than 100%"))
    has_unavailable, has_surge = numeric(strategy.max_unavailable) != 0, numeric(strategy.max_surge) != 0
    if has_unavailable and has_surge:
        reasons.append(
            _invalid(both[1][0], strategy.max_surge, "may not be set when maxUnavailable is non-zero")
        )
    elif not has_unavailable and not has_surge:
        detail = "cannot be 0 when maxSurge is 0"
        reasons.append(StrategyRefusal(both[0][0], RefusalKind.REQUIRED, "", detail))
    return reasons


def _form_refusals(field: str, value: IntOrPercent) -> tuple[StrategyRefusal, ...]:
    if isinstance(value, int):
        return (_negative(field, value),) if value < 0 else ()
    return () if PERCENT.fullmatch(value) else (_invalid(field, value, PERCENT_WORDS),)


def _negative(field: str, value: int) -> StrategyRefusal:
    return StrategyRefusal(field, RefusalKind.INVALID, str(value), "must be greater than or equal to 0")


def _invalid(field: str, value: IntOrPercent, detail: str) -> StrategyRefusal:
    """A refused IntOrString, which Go prints as a struct."""
    if isinstance(value, int):
        struct = f'intstr.IntOrString{{Type:0, IntVal:{value}, StrVal:""}}'
    else:
        text = json.dumps(value, ensure_ascii=False)
        struct = f"intstr.IntOrString{{Type:1, IntVal:0, StrVal:{text}}}"
    return StrategyRefusal(field, RefusalKind.INVALID, struct, detail)


def refusal_text(name: str, reasons: tuple[StrategyRefusal, ...]) -> str:
    """What `kubectl apply` prints of the refusal of a DaemonSet."""
    head = f'The DaemonSet "{name}" is invalid: '
    return (
        head + str(reasons[0])
        if len(reasons) == 1
        else head + "".join(f"\n* {refusal}" for refusal in reasons)
    )


def numeric(value: IntOrPercent) -> int:
    """The number in a whole number or percentage, 0 for any other text (getIntOrPercentValue, with Go's `Atoi`).

    Past 64 bits it is the number of the largest magnitude that there is.
    """
    if isinstance(value, int):
        return value
    digits = value[:-1] if PERCENT.fullmatch(value) else value
    if not re.fullmatch(r"[+-]?[0-9]+", digits):
        return 0
    counted = digits.lstrip("+-0") or "0"
    if len(counted) > _LONGEST or int(counted) > _MOST:
        return -_MOST - 1 if digits.startswith("-") else _MOST
    return -int(counted) if digits.startswith("-") else int(counted)


def scaled(value: IntOrPercent, nodes: int) -> int:
    """The number of Pods that an accepted value stands for on `nodes` nodes: percentages round up."""
    return value if isinstance(value, int) else -(-numeric(value) * nodes // 100)


def budgets(strategy: UpdateStrategy, desired: int) -> tuple[int, int]:
    """(maxUnavailable, maxSurge) in Pods on the nodes desired now; never both 0 where there is a node."""
    unavailable, surge = scaled(strategy.max_unavailable, desired), scaled(strategy.max_surge, desired)
    return (1, 0) if unavailable == 0 and surge == 0 and desired > 0 else (unavailable, surge)
