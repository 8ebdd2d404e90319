"""The checkers that run only where they are selected, one file for each."""
