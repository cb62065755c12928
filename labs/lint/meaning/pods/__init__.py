"""What Pods ask for, and what their claims say of sharing."""

from labs.lint.meaning.pods.claim_sharing import chosen_strategy, is_of_this_version, meant_strategy, sharings
from labs.lint.meaning.pods.neighbours import Neighbours, is_nvidias_own
from labs.lint.meaning.pods.pod_requests import (
    INIT,
    MpsClaims,
    SharedUse,
    Sharing,
    asked,
    containers,
    renamed,
    requantified,
)
from labs.lint.meaning.pods.products import SHARED_SUFFIX, required_products, selected_products

__all__ = [
    "INIT",
    "SHARED_SUFFIX",
    "MpsClaims",
    "Neighbours",
    "SharedUse",
    "Sharing",
    "asked",
    "chosen_strategy",
    "containers",
    "is_nvidias_own",
    "is_of_this_version",
    "meant_strategy",
    "renamed",
    "requantified",
    "required_products",
    "selected_products",
    "sharings",
]
