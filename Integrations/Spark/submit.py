"""Runs the command: the program for `spark-submit`, with the package in `--py-files`.

It is outside of the package because Python looks for modules first in the folder of its program.
"""

import sys

from sheaf_spark.cli import main

sys.exit(main())
