"""Typeset a report from its stored inputs: how later releases run this one.

The input is a line with the path of the inputs and a line with the path for the body. Later
releases rely on this form.
"""

from __future__ import annotations

import sys
from pathlib import Path

import django


def main() -> None:
    """Set one report."""
    django.setup()
    # Both need Django's registry.
    from reports.documents.registry import read_inputs
    from reports.documents.sheets import body_of

    inputs, out = (Path(line) for line in sys.stdin.read().splitlines())
    out.write_bytes(body_of(read_inputs(inputs.read_bytes())).content)


if __name__ == "__main__":
    main()
