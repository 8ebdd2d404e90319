"""What one run sees: its request, what it is judged on, what that holds."""
