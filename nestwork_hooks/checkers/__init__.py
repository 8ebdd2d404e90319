"""One file for each checker, and nothing else."""
