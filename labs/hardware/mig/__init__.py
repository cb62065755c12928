"""MIG instances on cards: what fits where, why not, and which layout wastes least."""
