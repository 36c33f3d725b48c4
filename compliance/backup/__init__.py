"""A copy of everything that cannot be made again, in a folder elsewhere, and the way back.

The folder holds `manifest.json` and `files/`, in which everything lies under its SHA-256 as in the
archive itself: the database's parts, the list of the archive's files, and those files. The manifest
takes the place of the former one in the very last step, so a backup that ends on the way leaves the
one before it whole.
"""

from compliance.backup.manifest import BackupError

__all__ = ["BackupError"]
