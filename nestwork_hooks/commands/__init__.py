"""What is more than one checker: the commands."""
