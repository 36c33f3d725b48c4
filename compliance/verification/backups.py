"""Backups that are still where they were made: whole, and those that events recorded."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from compliance.backup.manifest import MANIFEST, UNFINISHED, BackupError, digest_of_manifest
from compliance.backup.restore import check_backup
from compliance.event_log.events import BACKED_UP
from compliance.events.models import Event

if TYPE_CHECKING:
    from compliance.event_log.verifier import Answer


PAUSE = 3.0
"""Seconds after which a backup that no event knows is looked at again."""


def check_backups(answer: Answer) -> None:
    """Report each backup that is damaged, or is not what the newest event about it recorded."""
    for folder in sorted(_recorded()):
        if (folder / UNFINISHED).exists() or not (folder / MANIFEST).exists():
            answer.notes.append(f"No finished backup is in {folder} now: it was not checked.")
            continue
        answer.checked += 1
        if not _is_recorded(folder):
            time.sleep(PAUSE)  # the event follows the manifest
            if not _is_recorded(folder):
                event, _ = _recorded()[folder]
                what = f"is not the backup that event {event:,} recorded: do not restore it"
                answer.broken(what, f"backup {folder}")
                continue
        try:
            check_backup(folder)
        except BackupError as damaged:
            answer.broken(str(damaged), f"backup {folder}")


def _is_recorded(folder: Path) -> bool:
    return digest_of_manifest(folder) == _recorded()[folder][1]


def _recorded() -> dict[Path, tuple[int, str]]:
    """Return the newest backup in each folder: its event, and the digest of its manifest."""
    made = Event.objects.filter(type=BACKED_UP.name, payload__has_key="folder").order_by("pk")
    return {
        Path(payload["folder"]): (event, payload["manifest"])
        for event, payload in made.values_list("pk", "payload").iterator()
    }
