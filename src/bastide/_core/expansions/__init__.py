"""The boxes, a module each. Not to be called from Python."""
