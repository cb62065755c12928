"""How far predictions are off, estimates, and copies of one workload side by side."""
