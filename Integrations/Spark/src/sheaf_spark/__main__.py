"""Runs the command, for `python -m sheaf_spark`."""

import sys

from sheaf_spark.cli import main

if __name__ == "__main__":
    sys.exit(main())
