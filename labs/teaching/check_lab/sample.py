"""A sample of a check lab as data: files as somebody might apply them, mistakes and all, and the node that they are for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from labs.config.goyaml import Node, Scalar
from labs.config.own import Fields, Problem, Problems, ProblemsError, Values, read_document
from labs.config.plugin import Deployer

FORMAT = 1
MOST_PLACES, MOST_CODES = 1_000, 16


class UnknownSampleError(LookupError):
    """A request names a sample that is not there."""


@dataclass(frozen=True, slots=True)
class CheckSample:
    """A sample: messages `check-sample.<id>.name` and `.story`; `text` as a reader first sees it.

    `place` orders the samples. `node` is a name of `labs.cluster.sample_nodes`; `deployer` is None where nothing is
    said. `expect` are the codes that are found in it, `refused` whether a loader refuses a document of it: both are
    held against what is computed by tests/unit/teaching/test_check_samples.py.
    """

    id: str
    place: int
    text: str
    node: str
    deployer: Deployer | None = None
    expect: tuple[str, ...] = ()
    refused: bool = False


def in_order(samples: Iterable[CheckSample]) -> tuple[CheckSample, ...]:
    """The samples as they are offered."""
    return tuple(sorted(samples, key=lambda sample: (sample.place, sample.id)))


def read_check_sample(text: str) -> CheckSample:
    """The sample in `text`. Raises ProblemsError."""
    root = read_document(text)
    if root is None:
        raise ProblemsError((Problem("missing-key", 1, 1, {"key": "format"}),))
    problems = Problems()
    values = Values(problems)
    fields = Fields(root, problems, where="check")
    values.version(fields.required("format"), FORMAT)
    sample_id = values.text(fields.required("id"), "id")
    place = values.integer(fields.required("place"), "place", 1, MOST_PLACES)
    sample = values.text(fields.required("text"), "text")
    node = values.text(fields.required("node"), "node")
    deployer = values.one_of(fields.optional("deployer"), "deployer", tuple(Deployer))
    expect = _codes(fields.optional("expect"), values)
    refused = values.one_of(fields.optional("refused"), "refused", ("true", "false"))
    fields.finish()
    problems.raise_if_any()
    return CheckSample(
        sample_id or "",
        place or 0,
        sample or "",
        node or "",
        None if deployer is None else Deployer(deployer),
        expect,
        refused == "true",
    )


def _codes(node: Node | None, values: Values) -> tuple[str, ...]:
    if node is None:
        return ()
    items = values.items(node, "expect", MOST_CODES)
    return tuple(item.text for item in items if isinstance(item, Scalar))
