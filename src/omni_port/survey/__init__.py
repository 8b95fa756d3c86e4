"""Looking a project over: what in it is a copy of an upstream, since when, and beside what."""
