"""What the files say: YAML with a place for every key and value, understood exactly as NVIDIA's loaders do."""
