"""`python -m haenyeo` is the command line."""

from haenyeo.cli import main

if __name__ == "__main__":
    main()
