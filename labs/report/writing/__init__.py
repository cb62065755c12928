"""Words in a language: messages, numbers with units, markup, tables and problems."""
