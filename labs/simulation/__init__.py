"""What happens over time: a scenario becomes a world, the world a Trace, the Trace an outcome."""
