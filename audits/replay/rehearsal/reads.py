"""What submitting a file would answer: its lines, its tables, and what would be flagged."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import orjson
from django.conf import settings

from audits.instants import instant
from audits.intake.days.reads import bounds_of_day
from audits.intake.filed_forms import FiledForms
from audits.intake.mapping.conversion import convert_file
from audits.intake.models import Segment
from audits.intake.reads import log_on_file, newest_generation
from audits.intake.recognition import refuse_foreign
from audits.intake.repair import repair_segment
from audits.intake.segment_builder import Source, rehearse_log
from audits.intake.segments.rejections import RefusedLogError
from audits.intake.segments.tails import read_tails, write_tails
from audits.intake.table_records.comparison import CLOSED
from audits.intake.totals import totals_of
from audits.replay.auditing.findings import read_lines
from audits.replay.auditing.segment import audit_segment
from audits.replay.inputs import tails_before
from audits.replay.terms import terms_of
from compliance import clock
from compliance.access.permissions import OPERATOR_KINDS
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.files.archive import digest_of
from games.log.lines import BrokenFileError, unpack

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from audits.intake.mapping.definition import Definition
    from audits.intake.models import RoundLog
    from audits.intake.segments.ingestion import IntakeResult
    from audits.intake.segments.place import BuiltSegment, Place
    from audits.intake.segments.rejections import Rejected
    from audits.intake.segments.tails import Tail
    from audits.intake.totals import Totals
    from audits.replay.auditing.terms import Terms
    from compliance.access.models import Party


VERSION = 2
MOST_EXAMPLES = 20
LARGEST_AT_ONCE = 16 << 20
"""Unpacked bytes that a page or a program may have checked while it waits: some 20,000 rounds."""


@dataclass(frozen=True)
class Rehearsal:
    """What submitting a file would answer."""

    name: str
    sha256: str
    result: IntakeResult
    totals: Totals
    findings: dict[str, int]
    """How many findings the submission would add, by code."""
    on_file: RoundLog | None
    """The same file, if it was submitted before."""

    @property
    def examples(self) -> tuple[Rejected, ...]:
        """Return the first rejected lines."""
        return self.result.examples[:MOST_EXAMPLES]

    @property
    def first_at(self) -> datetime | None:
        """Return when the first round ended."""
        return None if self.result.first_at is None else instant(self.result.first_at)

    @property
    def last_at(self) -> datetime | None:
        """Return when the last round ended."""
        return None if self.result.last_at is None else instant(self.result.last_at)

    def as_json(self) -> dict[str, Any]:
        """Return the answer for programs."""
        return {
            "v": VERSION,
            "sha256": self.sha256,
            "lines": self.result.lines,
            "good": self.result.good,
            "rejected": self.result.rejected,
            "already": self.result.already,
            "records": self.result.records,
            **self.totals.as_json(),
            "findings": self.findings,
        }


def rehearse(
    *,
    party: Party,
    name: str,
    content: BinaryIO,
    mapping: Definition | None = None,
    largest: int | None = None,
) -> Rehearsal:
    """Say what submitting a file would answer; nothing of it is kept.

    Refuses a party that deals no rounds, whatever a submission refuses, and a file that unpacks to
    more than `largest` bytes.
    """
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} deals no rounds: only card rooms and tribal operations submit logs."
        raise RefusedError(msg)
    aside = Path(settings.VAR) / "intake"
    aside.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=aside, prefix="rehearsal-") as place,
        without_access_scope(),
    ):
        folder = Path(place)
        path = folder / "submitted"
        with path.open("wb") as copy:
            shutil.copyfileobj(content, copy)
        if largest is not None:
            _require_small(path, name, largest)
        try:
            return _rehearsed(party, name, path, mapping, folder)
        except RefusedLogError as refused:
            raise RefusedError(str(refused)) from None


def _require_small(path: Path, name: str, largest: int) -> None:
    size = 0
    with path.open("rb") as content, suppress(BrokenFileError):  # which the reader reports
        for piece in unpack(content):
            size += len(piece)
            if size > largest:
                msg = (
                    f"{name} has more than {largest >> 20} MiB. Check a larger file with"
                    " `manage.py check_log`, or one table's rounds here."
                )
                raise RefusedError(msg)


def _rehearsed(
    party: Party, name: str, path: Path, mapping: Definition | None, folder: Path
) -> Rehearsal:
    sha256, at = digest_of(path), clock.by_database()
    if mapping is None:
        with path.open("rb") as content:
            refuse_foreign(content, name)
    else:
        path = convert_file(mapping, path, folder, FiledForms(at).definitions)
    source = Source(
        party=party,
        sha256=sha256,
        at=at,
        path=path,
        is_converted=mapping is not None,
    )
    with rehearse_log(source, folder, repair=repair_segment) as (result, records, segments):
        findings = _findings(party, sha256, segments, folder)
    closed = {(each.day, each.table) for each in records.accepted if each.subject == CLOSED}
    return Rehearsal(
        name=name,
        sha256=sha256,
        result=result,
        totals=totals_of(party, result.tables, closed),
        findings=dict(sorted(findings.items())),
        on_file=log_on_file(party, sha256),
    )


def _findings(
    party: Party, sha256: str, segments: Iterator[BuiltSegment], folder: Path
) -> Counter[str]:
    """Count the findings in rounds of this log; those on file have theirs already."""
    found: Counter[str] = Counter()
    before: dict[str, Tail] = {}
    game = ""
    for number, built in enumerate(segments):
        if built.place.game != game:
            game, before = built.place.game, {}
        aside = folder / f"findings-{number}"
        aside.mkdir()
        audit_segment(
            segment=built.path,
            terms=_terms(party, built.place),
            carried=_carried(party, built, before, aside),
            out=aside / "findings",
        )
        before |= read_tails(built.tails)
        for line in read_lines(aside / "findings"):
            finding = orjson.loads(line)
            if finding["log"] == sha256:
                found[finding["code"]] += 1
    return found


def _terms(party: Party, place: Place) -> Terms:
    begins, ends = bounds_of_day(party, place.day)
    return terms_of(operator=party, game=place.game, begin=begins, end=ends)


def _carried(party: Party, built: BuiltSegment, before: dict[str, Tail], aside: Path) -> Path:
    """Write what came before a segment: on file, or in earlier segments of this log."""
    place = built.place
    generation = newest_generation(party, place.game, place.day) + 1
    tables: dict[str, list[Any]] = {span.table: [] for span in built.tables}
    as_registered = Segment(
        party=party, game=place.game, day=place.day, generation=generation, piece=0, tables=tables
    )
    found = tails_before(as_registered)
    for table in tables.keys() & before.keys():
        known, own = found.get(table), before[table]
        if known is None or known.last.at <= own.last.at:
            played = own.last_played or (known.last_played if known else None)
            found[table] = replace(own, last_played=played)
    path = aside / "tails"
    write_tails(path, [found[table] for table in sorted(found)])
    return path
