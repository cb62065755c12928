"""What `gpulab check` prints of each document of a file: what it is, whether its loader takes it, what then holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from labs.config.documents.kinds import Document, Kind, documents
from labs.config.documents.unread import Unread
from labs.config.gojson import Json
from labs.config.goyaml import DEFAULT_LIMITS, LimitError, Limits
from labs.config.plugin import DEPLOYER_ENVIRONMENT, Deployer
from labs.config.plugin import loader as device_plugin

if TYPE_CHECKING:
    from labs.config.mig_parted import loader as mig_parted

EXPLICIT_KINDS = (Kind.DEVICE_PLUGIN, Kind.MIG_PARTED)
"""The kinds that a user may say a file is of."""

_CHARTS = {Kind.DEVICE_PLUGIN_VALUES: Deployer.HELM, Kind.GPU_OPERATOR_VALUES: Deployer.OPERATOR}
_NO_ENV: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Checked:
    """A document with its loader's answer: one of `plugin` and `mig` for the kinds that a loader reads, else neither."""

    document: Document
    plugin: device_plugin.Loaded | None = None
    mig: mig_parted.MigParted | None = None

    @property
    def loads(self) -> bool | None:
        """Whether the loader takes it; None for kinds that no loader reads."""
        answer = self.plugin or self.mig
        return None if answer is None else answer.loads

    @property
    def error(self) -> str | None:
        """The loader's text where it does not take it."""
        answer = self.plugin or self.mig
        return None if answer is None else answer.error

    def as_json(self) -> dict[str, Json]:
        """The document's entry in the JSON of `gpulab check`."""
        answer = self.plugin or self.mig
        return {
            "kind": self.document.called,
            "key": self.document.key,
            "line": self.document.line,
            "loads": self.loads,
            "stage": None if answer is None or answer.stage is None else str(answer.stage),
            "error": self.error,
            "strategy": None
            if self.plugin is None or self.plugin.strategy is None
            else str(self.plugin.strategy),
            "effective": None if answer is None else answer.effective,
            "warnings": [] if self.plugin is None else list(self.plugin.warnings),
        }


def check(
    content: str | bytes,
    *,
    kind: Kind | None = None,
    env: Mapping[str, str] = _NO_ENV,
    args: Sequence[str] = (),
    deployer: Deployer | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Checked, ...]:
    """The documents of a file (None: recognised; a kind: the file is that) with their loaders' answers.

    The environment is what the deployer sets, and over it `env`; `args` is the plugin's command line. Without a
    deployer a config in the values of a chart is judged as that chart deploys it, and any other as a file that stands alone.
    Raises `LimitError` for a file beyond `limits`.
    """
    return tuple(
        _checked(document, {**DEPLOYER_ENVIRONMENT[deployer or _deployer_of(document)], **env}, args, limits)
        for document in documents(content, kind, limits=limits)
    )


def joined(
    files: Sequence[tuple[str, Sequence[Checked]]],
    *,
    env: Mapping[str, str] = _NO_ENV,
    args: Sequence[str] = (),
    deployer: Deployer | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[tuple[tuple[Checked, ...], tuple[Unread, ...]], ...]:
    """The documents of files that are given together, by their paths, and what each file names that nobody reads.

    Values of a chart that stand in several files, and ConfigMaps that Kustomize makes of files, are then known. Raises
    `LimitError`.
    """
    alone = [tuple(each.document for each in documents) for _, documents in files]
    from labs.config.documents import across

    known = {id(each.document): each for _, documents in files for each in documents}
    by_path = [across.DocumentsOf(path, documents) for (path, _), documents in zip(files, alone, strict=True)]
    answers = []
    for join in across.join(by_path, limits):
        documents = tuple(
            known.get(id(document))
            or _checked(
                document, {**DEPLOYER_ENVIRONMENT[deployer or _deployer_of(document)], **env}, args, limits
            )
            for document in join.documents
        )
        answers.append((documents, join.unread))
    return tuple(answers)


def joinable(files: Sequence[Sequence[Checked]]) -> bool:
    """Whether `joined` may change anything: one of the documents wraps something, or depends on a chart of ours."""
    return any(_may_join(each.document) for documents in files for each in documents)


def _may_join(document: Document) -> bool:
    if document.unread or document.wrapping is not None:
        return True
    root = document.mapping
    return document.kind is Kind.UNKNOWN and root is not None and root.get("dependencies") is not None


def _deployer_of(document: Document) -> Deployer:
    kind = None if document.container is None else document.container.kind
    return _CHARTS.get(kind, Deployer.STATIC) if kind is not None else Deployer.STATIC


def _checked(document: Document, env: Mapping[str, str], args: Sequence[str], limits: Limits) -> Checked:
    if document.kind is Kind.DEVICE_PLUGIN:
        root = document.loaded_root
        plugin = device_plugin.load(document.content, env=env, args=args, limits=limits, root=root)
        _refuse_over_limit(plugin.limit)
        return Checked(document, plugin=plugin)
    if document.kind is Kind.MIG_PARTED:
        from labs.config.mig_parted import loader as mig_parted

        mig = mig_parted.load(document.content, limits=limits, root=document.loaded_root)
        _refuse_over_limit(mig.limit)
        return Checked(document, mig=mig)
    return Checked(document)


def _refuse_over_limit(problem: str | None) -> None:
    if problem is not None:
        raise LimitError(problem, None)


def entries(checked: Sequence[Checked]) -> list[dict[str, Json]]:
    """The `documents` of a file in the JSON of `gpulab check`.

    What only holds the configs that are listed, a ConfigMap or the values of a chart, is not listed itself.
    """
    holding = {
        id(document_check.document.container)
        for document_check in checked
        if document_check.document.container is not None
    }
    return [
        document_check.as_json() for document_check in checked if id(document_check.document) not in holding
    ]
