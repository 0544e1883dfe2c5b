"""`python -m recollect` is `recollect`."""

from recollect.cli import main

if __name__ == "__main__":
    main()
