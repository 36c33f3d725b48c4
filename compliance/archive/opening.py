import os
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from compliance.archive.content import Archive, WhyRemoved, never_removed
from compliance.archive.folder import FolderArchive


def open_archive(url: str, *, spool: Path, why_removed: WhyRemoved = never_removed) -> Archive:
    """Open the archive that a URL or a folder names; the spool holds what is under way."""
    parts = urlsplit(url)
    if parts.scheme == "s3":
        from compliance.archive.object_store import ObjectArchive

        return ObjectArchive(url, spool, why_removed)
    return FolderArchive(Path(parts.path), why_removed)


def current_archive() -> Archive:
    """Return the archive of this installation."""
    return _opened(settings.ARCHIVE_URL, Path(settings.VAR) / "spool", os.getpid())


@lru_cache(maxsize=4)
def _opened(url: str, spool: Path, process: int) -> Archive:
    del process  # a fork opens its own
    from compliance.selectors.retention import why_removed

    return open_archive(url, spool=spool, why_removed=why_removed)
