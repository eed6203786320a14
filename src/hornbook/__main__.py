"""`python -m hornbook`."""

import sys

from hornbook.cli import main

if __name__ == "__main__":
    sys.exit(main())
