"""What happened: flat frozen records in order, and their hash."""
