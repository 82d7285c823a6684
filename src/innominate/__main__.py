"""`python -m innominate`."""

from innominate.cli import main

if __name__ == "__main__":
    main()
