"""What a rollout scenario asks for: fleet, DaemonSet, revisions, behaviours and events."""
