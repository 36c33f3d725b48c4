"""Segments written by hand, with as much in them as a look at a day reads."""

from __future__ import annotations

import hashlib
import io
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from audits.intake.models import RoundLog, Segment
from compliance.access.scope import without_access_scope
from compliance.files.archive import current_archive

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from compliance.access.models import Party


def registered(party: Party, name: str, at: datetime, corrects: RoundLog | None = None) -> RoundLog:
    """Return a log on file since an instant."""
    with without_access_scope():
        made = RoundLog(
            party=party,
            sha256=hashlib.sha256(name.encode()).hexdigest(),
            size=1,
            name=name,
            lines=1,
            good=1,
            rejected=0,
            already=0,
            corrects=corrects,
            reason="counted again" if corrects else "",
            at=at,
        )
        made.save()
    return made


def segment(
    day: date,
    log: RoundLog,
    tables: Mapping[str, Sequence[datetime]],
    *,
    game: str = "pyramid-poker",
    generation: int = 1,
    logs: Sequence[RoundLog] = (),
) -> Segment:
    """Return a segment of a day whose rounds were dealt at these instants."""
    rows = [(table, at.astimezone(UTC)) for table, all_at in tables.items() for at in all_at]
    columns = pa.table(
        {
            "table": pa.array([table for table, _ in rows], pa.string()),
            "at": pa.array([at for _, at in rows], pa.timestamp("us", "UTC")),
        }
    )
    content = io.BytesIO()
    pq.write_table(columns, content)
    content.seek(0)
    digest = current_archive().store(content).digest
    with without_access_scope():
        made = Segment(
            log=log,
            party=log.party,
            game=game,
            day=day,
            generation=generation,
            piece=0,
            logs=[each.sha256 for each in logs or (log,)],
            identity=digest,
            sha256=digest,
            index_sha256=digest,
            tails_sha256=digest,
            rounds=len(rows),
            seats=len(rows),
            tables={},
            first_at=min(at for _, at in rows),
            last_at=max(at for _, at in rows),
        )
        made.save()
    return made


def every(seconds: int, begin: datetime, end: datetime) -> list[datetime]:
    """Return instants at a steady pace."""
    return [
        begin + timedelta(seconds=passed)
        for passed in range(0, int((end - begin).total_seconds()), seconds)
    ]
