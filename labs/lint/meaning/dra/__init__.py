"""What the files mean for NVIDIA's DRA driver: which claims there are, which gates are open, who gives out GPUs."""

from labs.lint.meaning.dra.claims import claim_of, claims_named, device_claims, sharing_templates, together
from labs.lint.meaning.dra.gates import GateSource, gate, gate_sources
from labs.lint.meaning.dra.moved import OF_CLUSTER, OF_POLICY, Moved, extended_names, moved

__all__ = [
    "OF_CLUSTER",
    "OF_POLICY",
    "GateSource",
    "Moved",
    "claim_of",
    "claims_named",
    "device_claims",
    "extended_names",
    "gate",
    "gate_sources",
    "moved",
    "sharing_templates",
    "together",
]
