"""Labs whose state is the text of a sharing scenario."""
