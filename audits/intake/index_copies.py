"""Local copies of segments' ID indexes."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from compliance.files.archive import current_archive, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable


def index_at_hand(digest: str, *, verify: bool = False) -> Path:
    """Return a local copy of an index, which may be deleted at any time.

    A copy is verified when it is made. Verifying every index for every query would mean reading all
    of them, and what an index says is checked against the round itself. Callers that rely on what
    an index does *not* say set `verify`; a damaged copy is replaced.
    """
    place = folder() / digest[:2] / digest[2:]
    if not place.exists() or (verify and digest_of(place) != digest):
        place.parent.mkdir(parents=True, exist_ok=True)
        with current_archive().fetch(digest) as content:
            handle, name = tempfile.mkstemp(dir=place.parent)
            os.close(handle)
            shutil.copyfile(content, name)
            Path(name).replace(place)
    return place


def have_at_hand(digest: str, made: Path) -> None:
    """Move an index that was just built and stored here into the local copies."""
    place = folder() / digest[:2] / digest[2:]
    place.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):  # on another disk: it is copied on first use
        made.replace(place)


def folder() -> Path:
    """Return the folder of local copies."""
    return Path(settings.VAR) / "indexes"


def forget_indexes(but: Iterable[str]) -> int:
    """Remove the copies that are no longer needed; return how many."""
    kept = set(but)
    gone = 0
    for place in folder().glob("[0-9a-f][0-9a-f]/*"):
        if place.parent.name + place.name not in kept:
            place.unlink(missing_ok=True)
            gone += 1
    return gone
