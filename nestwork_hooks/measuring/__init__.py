"""What `nestwork-measure` is made of."""
