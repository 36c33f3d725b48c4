"""The id indexes of segments on this machine: verified once when they come, then mapped."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from compliance.archive import current_archive, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable


def index_at_hand(digest: str, *, verify: bool = False) -> Path:
    """A copy of an index in this machine's own folder, which may be deleted at any time.

    A copy is verified when it is made; to verify every index at every question would be to read
    all of them, and what an index says is checked against the round itself. Who relies on what an
    index does *not* say asks to `verify`; a copy that is damaged is made anew.
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
    """Let an index that was made and stored here a moment ago be the copy; `made` is moved."""
    place = folder() / digest[:2] / digest[2:]
    place.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):  # on another disk: it is copied when somebody asks
        made.replace(place)


def folder() -> Path:
    """Where the copies lie."""
    return Path(settings.VAR) / "indexes"


def forget_indexes(but: Iterable[str]) -> int:
    """Remove the copies that nobody asks for any more; how many went."""
    kept = set(but)
    gone = 0
    for place in folder().glob("[0-9a-f][0-9a-f]/*"):
        if place.parent.name + place.name not in kept:
            place.unlink(missing_ok=True)
            gone += 1
    return gone
