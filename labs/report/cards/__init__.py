"""The central picture: what the scheduler counts beside what the cards have."""
