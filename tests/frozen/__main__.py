"""Write the frozen facts again: `python -m tests.frozen [TEST ...]`."""

import os
import sys

import pytest

from tests.frozen.facts import HERE, WRITES_FACTS

if __name__ == "__main__":
    os.environ[WRITES_FACTS] = "1"
    sys.exit(pytest.main(["-q", "-p", "no:randomly", *(sys.argv[1:] or [str(HERE)])]))
