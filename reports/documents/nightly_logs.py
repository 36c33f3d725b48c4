"""What a night lacks (`night.*`), its rejected lines by cause, and how it was audited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.intake.models import RejectedCause
from audits.intake.reads import logs_of_day
from audits.replay.findings.models import Finding
from audits.replay.findings.reads import units_of
from compliance.filings.requests.reads import game_names
from games.explanation.words import describe_name
from reports.documents.nightly_terms import law_table
from reports.documents.wording import instant, local
from reports.rendering.blocks import Align, Column, Facts, Heading, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audits.intake.days.models import GamblingDay
    from reports.rendering.blocks import Block


LACKS = {
    "night.no_log": "Nothing was submitted",
    "night.late_log": "A log came late",
    "night.gap": "A hole in a table's play",
    "night.table_silent": "A table without rounds",
}
MOST_CAUSES = 100


def lacking_on(day: GamblingDay) -> list[dict[str, Any]]:
    """Return what the day currently lacks."""
    found = Finding.objects.filter(
        issue__party=day.party, issue__code__startswith="night.", day=day.day
    ).exclude(standing=Finding.Standing.GONE)
    names = game_names()
    return [
        {
            "code": each.issue.code,
            "game": names.get(each.issue.game, ""),
            "table": each.issue.table,
            "says": str(each.logged or ""),
            "awaited": str(each.expected or ""),
        }
        for each in found.select_related("issue").order_by("issue__code", "pk")
    ]


def logs_on(day: GamblingDay) -> list[dict[str, Any]]:
    """Return the logs with rounds of the day, in order of registration."""
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
    """Return why lines of the day's logs were rejected, the most frequent cause first."""
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
    """Yield what is missing from the night."""
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
    """Yield rejected lines by cause."""
    yield Heading("Rejected lines")
    yield Words(
        "A line is rejected for its form alone; it is kept as evidence and was not audited. A log "
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
                describe_name(each["cause"]),
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
    """Return a table of the logs with their digests."""
    return Rows(
        "logs",
        "Round logs on file for this day",
        (
            Column("Log"),
            Column("Lines", Align.NUMBERS),
            Column("Taken", Align.NUMBERS),
            Column("Rejected", Align.NUMBERS),
            Column("Submitted"),
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


def method_of(day: GamblingDay) -> dict[str, Any]:
    """Return the current replay of the day, and the event log's checkpoint when it closed."""
    replay = day.current
    return {
        "checkpoint": day.checkpoint,
        "replay": replay
        and {
            "uuid": str(replay.uuid),
            "cause": replay.get_cause_display(),
            "engine": replay.engine,
            "fingerprint": replay.fingerprint,
            "digest": replay.digest,
            "begun": local(replay.at),
            "ended": local(replay.ended) if replay.ended else None,
            "segments": list(units_of(day).values_list("segment__identity", flat=True)),
        },
    }


def method_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield what is needed to reproduce the result."""
    yield Heading("Method")
    yield Words(
        "Every round was settled by one engine under the rules, controls and limits that bound it "
        "at its instant. The replay can be made again: the same fingerprint gives the same "
        "findings, byte for byte. Findings are apparent violations; an agent decides on them."
    )
    yield logs_table(data["logs"])
    yield law_table(data["terms"])
    replay = data["method"]["replay"]
    if replay:
        yield Facts(
            (
                ("Replay", replay["cause"]),
                ("Begun", instant(replay["begun"])),
                ("Ended", instant(replay["ended"]) if replay["ended"] else "–"),
            )
        )
        codes = [
            ("Replay", replay["uuid"]),
            ("Fingerprint", replay["fingerprint"]),
            ("Findings", replay["digest"]),
            ("Engine", replay["engine"]),
        ]
        yield Facts(tuple(codes), Align.CODES)
        for game in data["terms"]:
            yield Words(
                f"{game['name']}: rules of the engine, rules as approved, terms of the night"
            )
            approved = [("As approved", each) for each in game["approved_rule_sets"]]
            rows = (("Rules", game["rule_set"]), *approved, ("Terms", game["terms"]))
            yield Facts(rows, Align.CODES)
    note = data["method"]["checkpoint"]
    if note:
        yield Words("The checkpoint of the event log when the day closed:")
        origin, size, root = note.splitlines()[:3]
        yield Facts((("Log", origin), ("Events", size), ("Root", root)), Align.CODES)
    else:
        yield Words("The event log had no checkpoint when the day closed.")
