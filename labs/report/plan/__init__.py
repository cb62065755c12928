"""Layouts of cards and of node pools, with texts to take along."""
