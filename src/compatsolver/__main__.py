"""`python -m compatsolver`."""

import sys

from compatsolver.cli import main

if __name__ == "__main__":
    sys.exit(main())
