"""What a night lacks (`night.*`), its rejected lines by cause, and how it was audited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.intake.models import RejectedCause
from audits.intake.reads import logs_of_day
from audits.replay.findings.models import Finding
from audits.replay.findings.reads import units_of
from compliance.filings.requests.reads import game_names
from compliance.verification.release import find_release
from games.checks import describe_code
from reports.documents.nightly_terms import law_table
from reports.documents.wording import counted, instant, local, lower, times_in_words
from reports.rendering.blocks import Align, Column, Facts, Heading, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audits.intake.days.models import GamblingDay
    from reports.rendering.blocks import Block


MOST_CAUSES = 4
"""Missing items, and causes of rejected lines, on the first page."""


def of_the_day(day: GamblingDay, prefix: str) -> list[dict[str, Any]]:
    """Return findings about the day as a whole: what it lacks (`night.`), what the watch saw."""
    found = Finding.objects.filter(
        issue__party=day.party, issue__code__startswith=prefix, day=day.day
    ).exclude(standing=Finding.Standing.GONE)
    names = game_names()
    return [
        {
            "code": each.issue.code,
            "game": names.get(each.issue.game, ""),
            "table": each.issue.table,
            "says": times_in_words(str(each.logged or "")),
            "awaited": times_in_words(f"expected: {each.expected}") if each.expected else "",
            "cites": each.cites,
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


def not_received(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is missing from the night, and what was submitted and could not be read."""
    for each in data["lacking"][:MOST_CAUSES]:
        table = f"table {each['table']}" if each["table"] else ""
        where = ", ".join(filter(None, (each["game"], table))) or "The whole day"
        found = "; ".join(filter(None, (each["says"], each["awaited"])))
        what = f"{where}: {lower(describe_code(each['code']))}"
        yield f"{what} ({found}; {', '.join(each['cites'])})."
    if more := data["lacking"][MOST_CAUSES:]:
        yield f"{counted(len(more), 'more missing item')} in the attached data."
    for each in data["rejected"][:MOST_CAUSES]:
        field = f", field {each['field']}" if each["field"] else ""
        yield (
            f"{counted(each['count'], 'line')} of log {each['log'][:16]} rejected for "
            f"{'its' if each['count'] == 1 else 'their'} form: {each['reason']}{field}."
        )
    if more := data["rejected"][MOST_CAUSES:]:
        lines = sum(each["count"] for each in more)
        yield f"{lines:,} more rejected lines, by {len(more):,} more causes in the attached data."


def watched(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the watch over cards and results saw, by the whole record up to this night."""
    for each in data["watched"][:MOST_CAUSES]:
        where = ", ".join(filter(None, (each["game"], each["table"])))
        what = f"{where}: {lower(describe_code(each['code']))}" if where else each["code"]
        awaited = each["awaited"].rstrip(".")
        yield f"{what}. {each['says']} ({'; '.join(filter(None, (awaited, *each['cites'])))})."
    if more := data["watched"][MOST_CAUSES:]:
        yield f"{counted(len(more), 'more stream')} in the attached data."


def logs_table(logs: Sequence[Mapping[str, Any]]) -> Rows:
    """Return a table of the logs with their digests."""
    return Rows(
        "logs",
        "Round logs on file for this day, and when they were submitted",
        (
            Column("Log"),
            Column("Lines", Align.NUMBERS),
            Column("Rejected", Align.NUMBERS),
            Column("SHA-256", Align.CODES),
        ),
        tuple(
            (
                f"{each['name']}{' (correction)' if each['corrects'] else ''}\n"
                f"{instant(each['at'])}{', late' if each['late'] else ''}",
                f"{each['lines']:,}",
                f"{each['rejected']:,}",
                each["sha256"],
            )
            for each in logs
        ),
        "No log is on file for this day.",
    )


def method_of(day: GamblingDay) -> dict[str, Any]:
    """Return the current replay of the day, and the event log's checkpoint when it closed."""
    replay = day.current
    release = find_release(replay.engine) if replay else None
    return {
        **({"release": str(release)} if release else {}),
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
    replay = data["method"]["replay"]
    ended = replay["ended"] if replay else None
    made = f" The replay ran until {instant(ended)}." if ended else ""
    night = f"{instant(data['begins'])} to {instant(data['ends'])}"
    yield Heading("Method")
    yield Words(
        f"The gambling day is {night}. Every round was settled by one engine under the rules, "
        "controls and limits in effect at its instant. The same fingerprint gives the same "
        f"findings, byte for byte. Findings are apparent violations; an agent decides.{made}"
    )
    yield logs_table(data["logs"])
    if data["issues"]:
        yield law_table(data["terms"])
    if replay:
        codes = [
            ("Replay", replay["uuid"]),
            ("Fingerprint", replay["fingerprint"]),
            ("Findings", replay["digest"]),
            ("Engine", replay["engine"]),
        ]
        if release := data["method"].get("release"):
            codes.append(("Release", release))
        note = data["method"]["checkpoint"]
        if note:
            codes.append(("Log at closing", note.splitlines()[2]))
        yield Facts(tuple(codes), Align.CODES)
