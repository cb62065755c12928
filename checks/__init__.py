"""Checks of the repository that no linter knows: three languages in step, words, layers, hosts.

Each check is a module with a function from the repository's root to the problems found. `python -m checks`
runs all of them, `python -m checks NAME...` some; it prints every problem and exits 1 if there is one.
"""
