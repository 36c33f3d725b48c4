"""The archive: every byte handed in or made, kept under its own SHA-256.

The address is the proof: what is read is hashed again, and what does not hash to its address is
refused by name. Files come before rows: a file is complete under its address before a row that
names it is committed.
"""

from compliance.archive.content import (
    Archive,
    DamagedError,
    MissingError,
    RemovedError,
    Stored,
    digest_of,
)
from compliance.archive.opening import current_archive, open_archive

__all__ = [
    "Archive",
    "DamagedError",
    "MissingError",
    "RemovedError",
    "Stored",
    "current_archive",
    "digest_of",
    "open_archive",
]
