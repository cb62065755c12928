"""What loaders refuse: the place in the text, the kind of mistake, and what mends it."""
