"""Replace a file whole or not at all, one writer at a time."""
