"""Keys and names as people write them: misspelt, doubled, invisible, of another program."""
