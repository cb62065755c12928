"""The laws by which jobs share a card: exclusive, time-slicing, MPS, MIG, at the level of rates and of requests."""
