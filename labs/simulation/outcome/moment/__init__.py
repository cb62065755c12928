"""The cluster at one moment, replayed from the Trace, and the moments at which a picture changes."""
