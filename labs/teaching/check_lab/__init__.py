"""Labs in which readers check a config of their own: `gpulab check` on a page."""
