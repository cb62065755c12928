"""What came of a rollout: the fleet at a moment, how far it is, and why it stands still."""
