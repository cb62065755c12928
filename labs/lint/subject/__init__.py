"""What rules look at: the files given together, and what the reader says beside them."""
