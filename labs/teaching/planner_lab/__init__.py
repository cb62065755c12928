"""The lab in which readers cut a card into MIG instances."""
