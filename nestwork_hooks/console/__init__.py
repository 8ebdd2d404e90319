"""Arguments in, findings out."""
