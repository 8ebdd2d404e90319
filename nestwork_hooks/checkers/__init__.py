"""One file for each checker, and nothing else; those that must be selected are in `optional`."""
