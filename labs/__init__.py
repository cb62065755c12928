"""A simulator and validator for sharing GPUs in Kubernetes: time-slicing, MPS and MIG."""

__version__ = "0.1.0"
