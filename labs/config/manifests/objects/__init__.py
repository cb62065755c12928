"""Objects of Kubernetes, values of charts and configs of mig-parted as typed views."""

from labs.config.manifests.objects.claims import (
    DRIVER_API_VERSION,
    INTERVALS,
    SHARED_CONFIG_KINDS,
    STRATEGIES,
    DeviceConfig,
    DeviceSharing,
    device_configs,
)
from labs.config.manifests.objects.mig import MigDocument, MigEntryView, NamedMigConfig, mig_document
from labs.config.manifests.objects.pods import (
    NVIDIA_PREFIX,
    Container,
    EnvironmentVariable,
    PodTemplate,
    VolumeMount,
    pod_templates,
)
from labs.config.manifests.objects.settings import (
    ChartSettings,
    ConfigReference,
    OperatorSettings,
    chart_settings,
    operator_settings,
)
from labs.config.manifests.objects.views import (
    MIG_CONFIG_LABEL,
    REQUESTS_PREFIX,
    ClusterNode,
    LabelledNodes,
    NamedConfigs,
    Quota,
    cluster_node,
    labelled_nodes,
    named_configs,
    quota,
)

__all__ = [
    "DRIVER_API_VERSION",
    "INTERVALS",
    "MIG_CONFIG_LABEL",
    "NVIDIA_PREFIX",
    "REQUESTS_PREFIX",
    "SHARED_CONFIG_KINDS",
    "STRATEGIES",
    "ChartSettings",
    "ClusterNode",
    "ConfigReference",
    "Container",
    "DeviceConfig",
    "DeviceSharing",
    "EnvironmentVariable",
    "LabelledNodes",
    "MigDocument",
    "MigEntryView",
    "NamedConfigs",
    "NamedMigConfig",
    "OperatorSettings",
    "PodTemplate",
    "Quota",
    "VolumeMount",
    "chart_settings",
    "cluster_node",
    "device_configs",
    "labelled_nodes",
    "mig_document",
    "named_configs",
    "operator_settings",
    "pod_templates",
    "quota",
]
