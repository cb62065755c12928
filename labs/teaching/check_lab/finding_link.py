"""The part of an address that opens, in the lab of rollouts, what a check has found: with the settings of the file."""

from __future__ import annotations

from labs.lint.findings import Finding
from labs.teaching.lab import LinkError
from labs.teaching.rollout_lab import RolloutLab, rollout_link

LAB = "stops-on-one-node"  # the first on the page `labs.report.findings.words.LAB_PAGE`; it shows any rollout


def lab_fragment(finding: Finding) -> str:
    """The fragment (without #); empty where there is nothing to show, or more than an address can hold."""
    if not finding.scenario:
        return ""
    try:
        return rollout_link(RolloutLab(LAB, ""), finding.scenario, None)
    except LinkError:
        return ""
