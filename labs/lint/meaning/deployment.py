"""Who deploys the plugin, as far as settings and files tell, and what a config comes to under that.

A deployer sets variables of the environment, and those win over the config: a flag in the file may be dead, or a fine file
may be refused. Rules that speak of flags ask here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from labs.config.documents import Checked, Document, Kind
from labs.config.manifests import Field
from labs.config.plugin import CHART_ENVIRONMENT, DEPLOYER_ENVIRONMENT, Deployer, Loaded
from labs.config.plugin import loader as device_plugin
from labs.lint.meaning.plugin_daemonset import plugin_daemonsets
from labs.lint.subject import LintDocument, Subject

if TYPE_CHECKING:
    from labs.config.manifests.objects import ChartSettings, OperatorSettings


_CHART_KINDS = (Kind.GPU_OPERATOR_VALUES, Kind.DEVICE_PLUGIN_VALUES)


@dataclass(frozen=True, slots=True)
class Deployment:
    """What sets the plugin's environment.

    `deployer` None: neither the settings nor the files say. `source` is the document that says so, None where the
    settings do; `set_by` are the fields of it that set a variable, by the variable's name. `environment` is the whole
    environment, with what the reader gave over it. `gfd_off` is the field that switches GPU feature discovery off.
    """

    deployer: Deployer | None
    source: LintDocument | None
    environment: Mapping[str, str]
    set_by: Mapping[str, Field]
    gfd_off: Field | None = None


def deployment(subject: Subject) -> Deployment:
    """How the plugin is deployed; of several sources the first counts: a ClusterPolicy, values of a chart, a DaemonSet."""
    settings = subject.settings
    said = _said(subject)
    deployer = settings.deployer if said is None else said.deployer
    environment = {**(DEPLOYER_ENVIRONMENT[deployer] if deployer is not None else {})}
    for name, value in ({} if said is None else said.written).items():
        if value is None:
            environment.pop(name, None)
        else:
            environment[name] = value
    environment.update(settings.env)
    if said is None:
        return Deployment(deployer, None, MappingProxyType(environment), MappingProxyType({}))
    off = said.gfd if said.gfd is not None and said.gfd.boolean is False else None
    return Deployment(
        deployer, said.source, MappingProxyType(environment), MappingProxyType(said.set_by), off
    )


@dataclass(slots=True)
class _Said:
    """What a document says of the deployment; a variable `written` as None is not set, whatever the deployer else does."""

    deployer: Deployer
    source: LintDocument
    gfd: Field | None = None
    written: dict[str, str | None] = field(default_factory=dict)
    set_by: dict[str, Field] = field(default_factory=dict)

    def sets(self, variable: str, value: str | None, by: Field) -> None:
        """Notes a variable and the field that it comes from."""
        self.written[variable], self.set_by[variable] = value, by


def _said(subject: Subject) -> _Said | None:
    """What the first source says that the settings do not rule out."""
    wanted = subject.settings.deployer
    if subject.operators and wanted in (None, Deployer.OPERATOR):
        return _said_to_operator(*subject.operators[0])
    if subject.charts and wanted in (None, Deployer.HELM):
        return _said_to_chart(*subject.charts[0])
    if wanted in (None, Deployer.STATIC):
        plugin = next(plugin_daemonsets(subject), None)
        if plugin is not None:
            written: dict[str, str | None] = {**plugin.settings()}
            return _Said(Deployer.STATIC, plugin.document, written=written, set_by={**plugin.environment()})
    return None


def _said_to_operator(source: LintDocument, operator: OperatorSettings) -> _Said:
    said = _Said(Deployer.OPERATOR, source, operator.gfd_enabled)
    if operator.kind is Kind.CLUSTER_POLICY:
        # The default `single` is the chart's; a policy that does not say sets no variable.
        said.written["MIG_STRATEGY"] = None
    strategy, cdi = operator.mig_strategy, operator.cdi_enabled
    if strategy is not None and strategy.text is not None:
        # An empty strategy sets no variable, so that the file decides.
        said.sets("MIG_STRATEGY", strategy.text or None, strategy)
    if cdi is not None and cdi.boolean is False:
        said.sets("DEVICE_LIST_STRATEGY", "envvar", cdi)
    for variable in operator.plugin_env:
        if variable.value is not None:
            said.sets(variable.name, variable.value.written, variable.value)
    return said


def _said_to_chart(source: LintDocument, chart: ChartSettings) -> _Said:
    said = _Said(Deployer.HELM, source, chart.gfd_enabled)
    for flag in chart.flags:
        if flag.text is not None or flag.boolean is not None:
            # The chart writes a bool as Helm prints it, whatever its spelling in the values.
            value = flag.written if flag.boolean is None else str(flag.boolean).lower()
            said.sets(CHART_ENVIRONMENT[flag.name], value, flag)
    return said


def as_deployed(subject: Subject) -> Iterator[Checked]:
    """The documents in their order, the plugin's configs with its answer under the deployment that the files speak of.

    A config in the values of another chart keeps the answer that it has under that one. So does every config where the
    deployment's environment is refused whatever the config is: that says nothing about a config.
    """
    how = deployment(subject)
    known = how.deployer is not None and device_plugin.load("", env=how.environment).loads
    for document in subject.documents:
        held = document.document.container
        elsewhere = held is not None and held.kind in _CHART_KINDS
        if document.checked.plugin is None or not known or (elsewhere and held is not _held_by(how)):
            yield document.checked
        else:
            yield dataclasses.replace(document.checked, plugin=loaded_under(subject, document, how))


def _held_by(how: Deployment) -> Document | None:
    return None if how.source is None else how.source.document


def loaded_under(subject: Subject, document: LintDocument, how: Deployment) -> Loaded:
    """What the plugin makes of a config under a deployment; a document of another kind does not load."""
    if document.checked.plugin is None or document.plugin is None:
        return Loaded(False, None, None)
    settings = subject.settings
    asked = {**DEPLOYER_ENVIRONMENT[settings.deployer or Deployer.STATIC], **settings.env}
    if dict(how.environment) == asked:
        return document.checked.plugin
    content, root = document.document.content, document.document.loaded_root
    return device_plugin.load(content, env=how.environment, args=settings.args, root=root)
