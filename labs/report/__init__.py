"""What is told: words, tables and pictures, one model rendered as text, HTML, SVG, JSON and SARIF."""
