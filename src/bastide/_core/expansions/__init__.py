"""The boxes of the core, a module each."""
