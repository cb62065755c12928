"""A check lab as a reader left it, as a link's fragment and back: `lab=check-<id>&v=1`, the node, the deployer, the text.

    lab=check-replicas-one&v=1&node=t4-x1&sample=replicas-one                a sample's own text
    lab=check-replicas-one&v=1&node=t4-x1&deployer=helm&text=q1YqLU4t…       the text itself, packed

As there, a link comes from anybody: it is bounded, and what comes out is a text that is checked like any other.
"""

from __future__ import annotations

from collections.abc import Mapping

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin import Deployer
from labs.teaching.check_lab.checking import TEXT_LIMIT, Situation
from labs.teaching.check_lab.sample import CheckSample
from labs.teaching.lab import LinkError, LinkProblem, fragment_of, link_parts, packed_text, unpacked

PREFIX = "check-"
"""What the id of a check lab begins with; a sample's id follows."""


def check_link(lab_id: str, situation: Situation, samples: Mapping[str, CheckSample]) -> str:
    """The fragment (without #) that shows this situation in that lab. Raises LinkError (TOO_MUCH)."""
    parts = {"node": situation.node}
    if situation.deployer is not None:
        parts["deployer"] = str(situation.deployer)
    sample = next((sample for sample in samples.values() if sample.text == situation.text), None)
    if sample is not None:
        return fragment_of(lab_id, {**parts, "sample": sample.id})
    if len(situation.text) > TEXT_LIMIT:
        raise LinkError(LinkProblem.TOO_MUCH)
    return fragment_of(lab_id, {**parts, "text": packed_text(situation.text)})


def situation_of_link(lab_id: str, fragment: str, samples: Mapping[str, CheckSample]) -> Situation:
    """What a fragment (without #) shows in that lab. Raises LinkError for whatever is no such fragment."""
    parts = link_parts(lab_id, fragment)
    node, deployer = parts.pop("node", ""), parts.pop("deployer", "")
    if node not in SAMPLE_NODES or deployer not in ("", *Deployer) or len(parts) != 1:
        raise LinkError(LinkProblem.BROKEN)
    if "text" in parts:
        text = unpacked(parts["text"])
    elif parts.get("sample") in samples:
        text = samples[parts["sample"]].text
    else:
        raise LinkError(LinkProblem.BROKEN)
    return Situation(text, node, Deployer(deployer) if deployer else None)
