"""Exhibits of a case in one sealed file: each as it is on file, with a list of their digests.

The file is stored under its SHA-256, which an event records: a copy is genuine if it has this
digest. Sealing again makes another file; the earlier ones stay.
"""

from __future__ import annotations

import io
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import orjson
from django.db import transaction

from audits.intake.rounds import find_rounds
from audits.replay.findings.models import Finding
from audits.replay.findings.wording import title_of
from audits.review import events
from audits.review.cases.models import CaseItem, CaseSeal
from audits.review.cases.presentation import put_into_words
from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.exports import record_export
from compliance.events.record import record
from compliance.files.archive import MissingError, current_archive, read_bytes, store_bytes
from compliance.retention.verification import Kept

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audits.review.cases.models import Case
    from audits.review.cases.presentation import Evidence
    from compliance.access.models import Person
    from compliance.events.models import Event


LIST: Final = "exhibits.json"
NO_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time a ZIP file can state: the list says when each exhibit was added."""
LARGEST: Final = 500 * 1024 * 1024
"""A seal is made while a person waits, in memory."""


def seal_exhibits(*, case: Case, by: Person) -> CaseSeal:
    """Store all exhibits of a case in one file, and record its digest in the event log.

    Refuses: a case without evidence; one whose documents are too large; a missing file.
    """
    require(by, Action.KEEP_CASES, case.party)
    with transaction.atomic(), without_access_scope():
        exhibits = put_into_words(case).items
        if not exhibits:
            msg = f"{case} has no evidence to seal yet."
            raise RefusedError(msg)
        if sum(file.size for each in exhibits for file in each.files) > LARGEST:
            msg = "The documents of this case are larger than 500 MB together."
            raise RefusedError(msg)
        try:
            content = _zipped(case, exhibits)
        except MissingError as missing:
            raise RefusedError(str(missing)) from missing
        stored = store_bytes(current_archive(), content)
        seal = CaseSeal(
            case=case,
            sha256=stored.digest,
            size=len(content),
            exhibits=len(exhibits),
            by=by.uuid,
            at=clock.now(),
        )
        seal.save()
        carries = {"sha256": seal.sha256, "exhibits": seal.exhibits}
        record(events.CASE_SEALED, by=by, about=seal, party=case.party, carries=carries)
    return seal


def read_seal(seal: CaseSeal) -> bytes:
    """Return a sealed file, verified."""
    return read_bytes(current_archive(), seal.sha256)


def record_seal_export(*, seal: CaseSeal, by: Person) -> Event:
    """Record a download of a sealed file, which contains players' rounds and filings."""
    return record_export(
        by=by,
        what="the sealed exhibits of a case",
        format="ZIP",
        count=seal.exhibits,
        filters={"sha256": seal.sha256},
        about=seal,
        party=seal.case.party,
    )


def files_of_seals() -> Iterator[Kept]:
    """Yield the sealed files, which are never removed. Needs `without_access_scope`."""
    for each in CaseSeal.objects.select_related("case").iterator():
        yield Kept(each.sha256, f"{each}: {each.sha256}")


def _zipped(case: Case, exhibits: list[Evidence]) -> bytes:
    """Return the file: the same exhibits always give the same bytes."""
    out = io.BytesIO()
    rows: list[dict[str, Any]] = []
    with ZipFile(out, "w", ZIP_DEFLATED) as made:

        def add(name: str, content: bytes) -> dict[str, str]:
            made.writestr(ZipInfo(name, NO_TIME), content)
            return {"name": name, "sha256": sha256(content).hexdigest()}

        for number, each in enumerate(exhibits, start=1):
            files = [add(name, content) for name, content in _files(case, number, each)]
            rows.append(_row(number, each) | {"files": files})
        listed = {
            "case": case.number,
            "title": case.title,
            "operator": case.party.code,
            "facts": case.facts,
            "exhibits": rows,
        }
        add(LIST, orjson.dumps(listed, option=orjson.OPT_INDENT_2))
    return out.getvalue()


def _row(number: int, evidence: Evidence) -> dict[str, Any]:
    item = evidence.item
    return {
        "exhibit": number,
        "kind": str(item.get_kind_display()),
        "name": item.name,
        "round": item.round or None,
        "is_alleged": item.is_alleged,
        "issue": str(item.issue.uuid) if item.issue else None,
        "begins": item.begins,
        "ends": item.ends,
        "text": item.text,
        "added_by": evidence.by,
        "added": item.at,
    }


def _files(case: Case, number: int, evidence: Evidence) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an exhibit: documents, rounds as logged, findings of an issue."""
    folder, item = f"{number:03}", evidence.item
    for each in evidence.files:
        yield f"{folder}/{each.place}-{each.name}", read_bytes(current_archive(), each.sha256)
    if item.kind == CaseItem.Kind.ROUND:
        for found in find_rounds([case.party], item.round):
            yield f"{folder}/round-{found.log.sha256[:16]}.jsonl", found.found.line + b"\n"
    if item.issue is not None:
        rows = Finding.objects.filter(issue=item.issue).order_by("day", "pk")
        summary = {
            "title": title_of(item.issue),
            "cause": item.issue.diagnosis,
            "rounds": item.issue.rounds,
            "findings": item.issue.findings,
            "findings_listed": rows.count(),
        }
        lines = [orjson.dumps(summary), *(orjson.dumps(_finding(each)) for each in rows)]
        yield f"{folder}/issue.jsonl", b"\n".join(lines) + b"\n"


FIELDS: Final = (
    *("identity", "day", "round", "at", "table", "seat", "player", "code", "wager", "line"),
    *("logged", "expected", "delta", "cites", "log_sha256", "source_line"),
)


def _finding(finding: Finding) -> dict[str, Any]:
    return {name: getattr(finding, name) for name in FIELDS}
