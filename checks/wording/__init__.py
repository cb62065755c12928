"""Prose read as an editor reads it: Japanese by textlint, Korean spacing by a morphological model.

Both need packages that nothing else needs (a third of a gigabyte), so they have locks of their own and are
installed when a page or a message is first read. `python3 dev.py prose` reads what was changed, with `--all`
everything.
"""
