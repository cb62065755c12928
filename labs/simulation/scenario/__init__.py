"""What a scenario asks for: its values, and reading them from YAML with every problem at its place."""
