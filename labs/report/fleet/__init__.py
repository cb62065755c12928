"""A rollout at a moment: the grid of nodes, what kubectl prints, and why it stands still."""
