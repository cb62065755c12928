"""Node pools: which workloads may share devices, on which nodes, and why."""
