<<<<<<< HEAD
"""The boxes of the core, a module each."""
=======
"""The boxes of the compiled core, one module each."""
>>>>>>> main
