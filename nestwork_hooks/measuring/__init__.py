"""Measure what a nest costs to read, in bytes and tokens: the parts of `nestwork-measure`."""
