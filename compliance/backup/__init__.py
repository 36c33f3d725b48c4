"""Backups: everything that cannot be recreated, copied to another folder, and how to restore it.

The folder contains `manifest.json` and `files/`, which stores everything under its SHA-256, like
the archive: the parts of the database, the list of the archive's files, and those files. With
`BACKUP_KEY` these are encrypted, in a folder `files-` and the key's id. The manifest is replaced in
the very last step, so an interrupted backup leaves the previous one intact.
"""

from compliance.backup.manifest import BackupError

__all__ = ["BackupError"]
