"""Files of a running system belong to whoever runs it; nobody else on the machine reads them."""

import os
import stat
from pathlib import Path

OTHERS = stat.S_IRWXO


def keep_from_others() -> None:
    """Whatever this process and its children make from now on, their owner alone may read."""
    os.umask(0o077)


def open_to_others(place: Path) -> bool:
    """Whether somebody else on the machine gets at a file or folder that is there.

    A folder above it that lets nobody through keeps all that lies in it.
    """
    if not place.exists() or not place.stat().st_mode & OTHERS:
        return False
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in place.resolve().parents)
