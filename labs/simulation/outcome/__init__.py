"""What came of a run: snapshots, metrics and the outcome, all functions of the Trace."""
