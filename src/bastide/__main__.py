"""Run the command line: `python -m bastide`."""

from bastide.cli import main

if __name__ == "__main__":
    main()
