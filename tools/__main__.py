"""`python -m tools`, which dev.py hands over to inside `.venv/`."""

import sys

from tools import cli

if __name__ == "__main__":
    sys.exit(cli.main(sys.argv[1:]))
