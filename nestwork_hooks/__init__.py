"""Git hooks that keep a nest of agent memory true, small and routable."""
