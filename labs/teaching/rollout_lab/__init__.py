"""Labs in which readers act on a DaemonSet rollout and watch where it stops."""
