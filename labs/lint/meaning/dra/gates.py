"""Which feature gates NVIDIA's DRA driver runs with, as far as the files say.

Source: kubernetes-sigs/dra-driver-nvidia-gpu, `pkg/featuregates/featuregates.go`; its chart and the GPU Operator hand
`featureGates` on as the variable `FEATURE_GATES`. `AllAlpha` opens every alpha gate that is not named itself.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from labs.config.documents import Kind
from labs.config.goyaml import Node
from labs.config.manifests import Field, field, fields
from labs.config.manifests.objects import EnvironmentVariable, environment
from labs.lint.meaning import words
from labs.lint.subject import LintDocument, Subject

VARIABLE = "FEATURE_GATES"
ALL_ALPHA = "AllAlpha"

_PROGRAM = "gpu-kubelet-plugin"
_FLAG = "--feature-gates="
_IMAGES = ("dra-driver-nvidia-gpu", "k8s-dra-driver-gpu")
_TRUE, _FALSE = ("1", "t", "true"), ("0", "f", "false")
_MOST_GATES = 200
_PLUGIN = ("kubeletPlugin", "containers", "gpus", "env")
_OPERATED_PLUGIN = ("draDriver", "gpus", "kubeletPlugin", "env")


@dataclass(frozen=True, slots=True)
class GateSource:
    """A place that says which gates are open. `names` are the keys of a map; a gate that is not named keeps its default."""

    document: LintDocument
    place: Node
    gates: Mapping[str, bool]
    names: tuple[Field, ...] = ()

    def opens(self, gate: str) -> bool:
        """Whether an alpha gate is open under it."""
        return self.gates.get(gate, self.gates.get(ALL_ALPHA, False))


@functools.lru_cache(maxsize=2)
def gate_sources(subject: Subject) -> tuple[GateSource, ...]:
    """The places that name gates, in order; a map or a variable without any says nothing."""
    return tuple(source for source in _sources(subject) if source.gates or source.names)


def gate(subject: Subject, name: str) -> bool | None:
    """Whether an alpha gate is open by one of the places that name gates; None where there is none of these."""
    sources = gate_sources(subject)
    return any(source.opens(name) for source in sources) if sources else None


def _sources(subject: Subject) -> Iterator[GateSource]:
    holders = ((document, document.document.root) for document in subject.of(Kind.DRA_DRIVER_VALUES))
    for document, node in holders:
        yield from _of_values(document, field(node, "featureGates"), environment(node, *_PLUGIN))
    operated = [(document, operator.node) for document, operator in subject.operators]
    for document in subject.of(Kind.GPU_CLUSTER):
        spec = field(document.document.root, "spec")
        if spec is not None:
            operated.append((document, spec.value))  # type: ignore[arg-type]
    for document, node in operated:
        yield from _of_values(
            document, field(node, "draDriver", "featureGates"), environment(node, *_OPERATED_PLUGIN)
        )
    for document, pod in subject.pods:
        for container in pod.containers:
            image = "" if container.image is None else container.image.text or ""
            arguments = words(container)
            if any(name in image for name in _IMAGES) or any(
                _PROGRAM in word for word in arguments[:_MOST_GATES]
            ):
                yield from _of_environment(document, container.env)
                flags = [word for word in arguments if word.startswith(_FLAG)]
                if flags:
                    yield GateSource(document, container.node, _read(flags[-1].removeprefix(_FLAG)))


def _of_values(
    document: LintDocument, gates: Field | None, variables: tuple[EnvironmentVariable, ...]
) -> Iterator[GateSource]:
    """Gates of values; the variable, where they set it themselves, stands behind the chart's own and wins."""
    own = tuple(_of_environment(document, variables))
    if own:
        yield from own
    elif gates is not None:
        named = fields(gates.value)[:_MOST_GATES]
        states = ((name.name, _truth(name.written)) for name in named)
        yield GateSource(
            document, gates.key, {name: state for name, state in states if state is not None}, named
        )


def _of_environment(
    document: LintDocument, variables: tuple[EnvironmentVariable, ...]
) -> Iterator[GateSource]:
    values = [variable.value for variable in variables if variable.name == VARIABLE]
    if values and values[-1] is not None:
        yield GateSource(document, values[-1].value, _read(values[-1].written))


def _read(text: str) -> Mapping[str, bool]:
    """The gates of a text such as `MPSSupport=true,DynamicMIG=false`."""
    parts = (part.strip().partition("=") for part in text[:10_000].split(",")[:_MOST_GATES])
    states = ((name.strip(), _truth(value.strip())) for name, _, value in parts)
    return {name: state for name, state in states if state is not None}


def _truth(word: str) -> bool | None:
    word = word.lower()
    return True if word in _TRUE else False if word in _FALSE else None
