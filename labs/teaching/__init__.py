"""Labs as data, what they answer to a reader, and their pages."""
