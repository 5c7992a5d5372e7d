"""The boxes of the compiled core, one module each."""
