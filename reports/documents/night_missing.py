"""What a night lacks (`night.*`), and the lines of its logs that were rejected, by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.models import Finding, RejectedCause
from audits.selectors.days import logs_of_day
from compliance.selectors.games import names_of_games
from reports.documents.people import local
from reports.documents.wording import instant, said
from reports.paper.blocks import Align, Column, Heading, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audits.models import GamblingDay
    from reports.paper.blocks import Block

LACKS = {
    "night.no_log": "Nothing was handed in",
    "night.late_log": "A log came late",
    "night.gap": "A hole in a table's play",
    "night.table_silent": "A table without rounds",
}
MOST_CAUSES = 100


def lacking_on(day: GamblingDay) -> list[dict[str, Any]]:
    """What the day lacks as things stand now."""
    found = Finding.objects.filter(
        pattern__party=day.party, pattern__code__startswith="night.", day=day.day
    ).exclude(standing=Finding.Standing.GONE)
    names = names_of_games()
    return [
        {
            "code": each.pattern.code,
            "game": names.get(each.pattern.game, ""),
            "table": each.pattern.table,
            "says": str(each.logged or ""),
            "awaited": str(each.expected or ""),
        }
        for each in found.select_related("pattern").order_by("pattern__code", "pk")
    ]


def logs_on(day: GamblingDay) -> list[dict[str, Any]]:
    """The logs with rounds of the day, in the order in which they were registered."""
    return [
        {
            "name": log.name,
            "sha256": log.sha256,
            "size": log.size,
            "lines": log.lines,
            "good": log.good,
            "already": log.already,
            "rejected": log.rejected,
            "at": local(log.at),
            "late": log.at > day.closes,
            "corrects": log.corrects.sha256 if log.corrects else None,
            "reason": log.reason,
        }
        for log in logs_of_day(day.party, day.day)
    ]


def rejected_on(day: GamblingDay) -> list[dict[str, Any]]:
    """Why lines of the day's logs were rejected, the most frequent cause first."""
    causes = RejectedCause.objects.filter(log__in=logs_of_day(day.party, day.day))
    return [
        {
            "log": each.log.sha256,
            "cause": each.cause,
            "field": each.field,
            "reason": each.reason,
            "count": each.count,
        }
        for each in causes.select_related("log").order_by("-count", "log_id", "id")
    ]


def missing_blocks(lacking: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """What is missing from the night."""
    yield Heading("What is missing")
    yield Rows(
        "missing",
        "What the controls let expect, and was not there or not in time",
        (Column("What"), Column("Where"), Column("Found"), Column("Awaited"), Column("Code")),
        tuple(
            (
                LACKS.get(each["code"], each["code"]),
                ", ".join(
                    part
                    for part in (
                        each["game"],
                        f"table {each['table']}" if each["table"] else "",
                    )
                    if part
                )
                or "The whole day",
                each["says"],
                each["awaited"],
                each["code"],
            )
            for each in lacking
        ),
        "Nothing is missing: a log is on file, in time, for each table that the controls name.",
    )


def rejected_blocks(causes: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """Rejected lines by cause."""
    yield Heading("Rejected lines")
    yield Words(
        "A line is rejected for its form alone; it is kept as evidence and was not judged. A log "
        "may hold rounds of several days: its rejected lines are counted here whole."
    )
    yield Rows(
        "rejected",
        "Rejected lines by cause",
        (
            Column("Lines", Align.NUMBERS),
            Column("Cause"),
            Column("Field"),
            Column("Reason"),
            Column("Log", Align.CODES),
        ),
        tuple(
            (
                f"{each['count']:,}",
                said(each["cause"]).capitalize(),
                each["field"] or "–",
                each["reason"],
                each["log"][:16],
            )
            for each in causes[:MOST_CAUSES]
        ),
        "No line was rejected.",
    )
    if more := causes[MOST_CAUSES:]:
        lines = sum(each["count"] for each in more)
        yield Words(f"{len(more):,} more causes with {lines:,} lines stand in the data.")


def logs_table(logs: Sequence[Mapping[str, Any]]) -> Rows:
    """The logs, with their digests."""
    return Rows(
        "logs",
        "Round logs on file for this day",
        (
            Column("Log"),
            Column("Lines", Align.NUMBERS),
            Column("Taken", Align.NUMBERS),
            Column("Rejected", Align.NUMBERS),
            Column("Handed in"),
            Column("SHA-256", Align.CODES),
        ),
        tuple(
            (
                each["name"] + (" (correction)" if each["corrects"] else ""),
                f"{each['lines']:,}",
                f"{each['good']:,}",
                f"{each['rejected']:,}",
                instant(each["at"]) + (", late" if each["late"] else ""),
                each["sha256"],
            )
            for each in logs
        ),
        "No log is on file for this day.",
    )
