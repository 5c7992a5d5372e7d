"""The compiled core. Its doors are `api`, `bulk` and `bench`; nothing else of it is for Python."""
