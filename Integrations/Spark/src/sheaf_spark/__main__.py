"""Runs the command. `spark-submit` takes this file as its program, with the package in `--py-files`."""

import sys

from sheaf_spark.cli import main

if __name__ == "__main__":
    sys.exit(main())
