"""Cards and MIG profiles as facts: what is known of each, and from which source."""
