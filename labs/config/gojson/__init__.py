"""JSON as `sigs.k8s.io/yaml` makes it of YAML, and decoding in the manner of Go."""
