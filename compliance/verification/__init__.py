"""Checks that nobody rewrote history in the database, and names what was rewritten.

The signed checkpoints are believed, nothing else: leaves must give their roots, events must give
the leaves, and every row of history must be what its event says.
"""

from compliance.verification.archive import verify_archive
from compliance.verification.log import verify_log

__all__ = ["verify_archive", "verify_log"]
