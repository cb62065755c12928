"""The result of a run: the answering sentence, pictures, tables, in a page and in a terminal."""
