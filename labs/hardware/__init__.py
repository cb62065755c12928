"""What the cards are: the GPU catalog with its sources, and the memory that processes can have."""
