"""The engine's identity: a digest of everything that decides, never set by hand.

It covers the engine, the law, what is in effect, and the code that Python runs in place of a
source, so that the same fingerprint of a replay means the same findings.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from audits.replay.events import ENGINE_RECORDED
from compliance.events.actor import SYSTEM
from compliance.events.canonical import digest
from compliance.events.models import Event
from compliance.events.record import record
from compliance.verification.software import digests_of_files, foreign_code

if TYPE_CHECKING:
    from compliance.event_log.verifier import Answer
    from compliance.events.actor import Actor


ROOT = Path(settings.BASE_DIR)
PLACES = (
    ROOT / "games",
    ROOT / "compliance" / "law",
    ROOT / "compliance" / "in_effect",
    ROOT / "audits" / "replay" / "auditing",
    ROOT / "audits" / "replay" / "inputs.py",
    ROOT / "audits" / "replay" / "terms.py",
)
DIFFERS = (
    "is not what event {event:,} recorded as in use. After an update, run `manage.py migrate`, "
    "which records it; otherwise restore the file, and find out who changed it"
)


@cache
def engine_version() -> str:
    """Return the hex SHA-256 of everything that a finding may depend on, as this process runs it.

    Code that is not that of its source counts besides the source.
    """
    code = {file.relative_to(ROOT).as_posix(): each for file, each in foreign_code(PLACES).items()}
    return digest({"files": digests_of_files(PLACES, ROOT), "code": code})


def parts_of_engine() -> dict[str, str]:
    """Return the digest of each rule file, and of the source files of each folder."""
    rules: dict[str, str] = {}
    sources: dict[str, dict[str, str]] = {}
    for name, each in digests_of_files(PLACES, ROOT).items():
        if name.endswith(".py"):
            sources.setdefault(f"{Path(name).parent}/*.py", {})[name] = each
        else:
            rules[name] = each
    return rules | {folder: digest(files) for folder, files in sources.items()}


def record_engine(*, by: Actor) -> Event | None:
    """Record which engine is in use from now on, unless the newest such event says so already."""
    parts, last = parts_of_engine(), _recorded()
    before = last.payload["parts"] if last else {}
    if parts == before:
        return None
    changed = sorted(name for name in parts.keys() | before if parts.get(name) != before.get(name))
    carries = {
        "engine": digest(digests_of_files(PLACES, ROOT)),
        "parts": parts,
        "changed": changed if last else [],
    }
    with transaction.atomic():
        return record(ENGINE_RECORDED, by=by, carries=carries)


def record_first_engine() -> None:
    """Record which engine is in use if no event says so; later only an update does."""
    if _recorded() is None:
        record_engine(by=SYSTEM)


def check_engine(answer: Answer) -> None:
    """Report each part of the engine that is not the one recorded as in use."""
    last, parts = _recorded(), parts_of_engine()
    answer.checked += len(parts)
    if last is None:
        answer.notes.append(
            "No event says yet which engine is in use; the nightly check records it."
        )
        return
    known = last.payload["parts"]
    for name in sorted(parts.keys() | known):
        if parts.get(name) != known.get(name):
            answer.broken(DIFFERS.format(event=last.pk), name)


def _recorded() -> Event | None:
    return Event.objects.filter(type=ENGINE_RECORDED.name).order_by("-pk").first()
