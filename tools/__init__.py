"""What `python3 dev.py` does: a module for each command, and for each thing that they need.

At their top, modules import the standard library and each other only: commands are listed and parsed before anything
is installed.
"""
