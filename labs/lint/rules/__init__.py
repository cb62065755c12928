"""The rules by what they look at: a module each, named as its slug."""
