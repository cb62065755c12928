"""An update strategy that the API server refuses.

## What it does
Finds an `updateStrategy` of a DaemonSet, or of the device plugin's chart, that the API server refuses, and a
`minReadySeconds` or `revisionHistoryLimit` below 0.

## Why it matters
A refused DaemonSet is not changed at all: `kubectl apply` and `helm upgrade` fail. `maxUnavailable` and `maxSurge` are
whole numbers or percentages, and exactly one of them must be other than 0. Since `maxUnavailable` is 1 where it is not
written, `maxSurge: 1` alone is refused too.

## Example
```yaml agent.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
spec:
  minReadySeconds: 30
  updateStrategy:
    rollingUpdate:
      maxSurge: 2
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agent}
    spec:
      containers:
        - name: agent
          image: registry.example.com/agent:1.4
```

## Use instead
```yaml agent.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
spec:
  minReadySeconds: 30
  updateStrategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 2
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agent}
    spec:
      containers:
        - name: agent
          image: registry.example.com/agent:1.4
```

## References
- Kubernetes, pkg/apis/apps/validation/validation.go, ValidateRollingUpdateDaemonSet
- Kubernetes, pkg/apis/apps/v1/defaults.go, SetDefaults_DaemonSet
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.cluster.daemonset import ON_DELETE, ROLLING_UPDATE, RefusalKind, StrategyRefusal, refusals
from labs.config.editing import add_member, replace, rewrite
from labs.config.goyaml import Scalar, ScalarKind
from labs.config.manifests import Field, field
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.daemonset import Rollout, int_or_percent, rollouts, whole
from labs.lint.subject import Rule, Subject

_COUNT = re.compile(r"[0-9]{1,9}")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the value; at most at the first mistake of a strategy, for mending it may mend the others."""
    for rollout in rollouts(subject):
        yield from _counts(rollout)
        budgets = [
            budget for budget in (rollout.unavailable, rollout.surge) if int_or_percent(budget, 0) is None
        ]
        yield from (_unreadable(rollout, budget) for budget in budgets if budget is not None)
        if rollout.type is not None and rollout.strategy is None and not budgets:
            yield _of_type(rollout, rollout.type)
        strategy = rollout.strategy
        for refusal in refusals(strategy)[:1] if strategy is not None else ():
            yield _refused(rollout, refusal)


def _counts(rollout: Rollout) -> Iterator[Finding]:
    """The whole numbers beside the strategy."""
    if rollout.template is None:
        return
    for name in ("minReadySeconds", "revisionHistoryLimit"):
        member = field(rollout.node, name)
        if member is None or member.is_null:
            continue
        number = whole(member)
        if number is None:
            yield _unreadable(rollout, member)
        elif number < 0:
            refusal = StrategyRefusal(
                name, RefusalKind.INVALID, str(number), "must be greater than or equal to 0"
            )
            yield RULE.at(rollout.document, member.place, error=str(refusal))


def _unreadable(rollout: Rollout, member: Field) -> Finding:
    value, key = quoted(member.value), member.name
    return RULE.at(rollout.document, member.place, variant="type", value=value, key=key)


def _of_type(rollout: Rollout, member: Field) -> Finding:
    """What the type was meant to be, if only upper and lower case or a hyphen are in the way."""
    plain = "".join(letter for letter in member.written.lower() if letter.isalpha())
    meant = next((strategy for strategy in (ROLLING_UPDATE, ON_DELETE) if strategy.lower() == plain), None)
    fix = None if meant is None else rollout.document.fix(rewrite(member.value, meant), safe=True)
    return RULE.at(rollout.document, member.place, variant="strategy", fix=fix, value=quoted(member.value))


def _refused(rollout: Rollout, refusal: StrategyRefusal) -> Finding:
    document, at = rollout.document, refusal.field.rpartition(".")[2]
    if at == "updateStrategy" and rollout.type is not None:
        return _of_type(rollout, rollout.type)
    budget = rollout.unavailable if at == "maxUnavailable" else rollout.surge
    assert budget is not None, "a strategy is refused for a value that is written"
    value = budget.value
    if at == "maxSurge" and (rollout.unavailable is None or rollout.unavailable.is_null) and rollout.rolling:
        edit = add_member(document.document.text, rollout.rolling, "maxUnavailable: 0")
        return RULE.at(document, budget.key, variant="alone", fix=document.fix(edit, safe=True))
    if isinstance(value, Scalar) and value.kind is ScalarKind.STRING and _COUNT.fullmatch(value.text):
        fix = document.fix(replace(value, str(int(value.text))), safe=True)
        return RULE.at(document, value, variant="quoted", fix=fix, value=value.text)
    return RULE.at(document, value, error=str(refusal))


RULE = Rule(
    "GL519",
    "refused-update-strategy",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("alone", "quoted", "type", "strategy"),
    fixable=True,
)
