"""Reference pages as Markdown: of rules, of cards, and of how far the simulator is off."""
