"""Pictures as plain geometry, and the same as SVG."""
