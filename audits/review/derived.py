"""Derived rows that are not what the findings files of each day's current replay give.

Verification names them; `manage.py rebuild` writes what the files give.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING, Any

import orjson
from django.db import transaction
from django.db.models import Exists, Max, Min, OuterRef
from zstandard import ZstdError

from audits.instants import instant
from audits.intake.days.models import GamblingDay
from audits.replay.auditing.tally import MOST_EXAMPLES
from audits.replay.comparisons import KINDS, Comparison, compare_day
from audits.replay.events import DERIVED_REBUILT, ISSUE_OPENED
from audits.replay.findings.files import findings_of
from audits.replay.findings.marks import Standing
from audits.replay.findings.models import Finding, Issue, IssueClause, IssueNight, IssuePart
from audits.replay.findings.reads import impact_of, sum_of_cents, units_of
from audits.replay.models import Replay, ReplayComparison, ReplaySegment
from audits.review.issues.examples import ExampleFindings, key_of, row_of
from audits.review.issues.nights import PART_SUMS, SUMMED, Night, nights_of
from audits.review.issues.sums import NAMES
from compliance.access.scope import without_access_scope
from compliance.event_log.verifier import Answer
from compliance.events.canonical import digest
from compliance.events.models import Event
from compliance.events.record import record
from compliance.files.archive import DamagedError, MissingError
from compliance.verification.snapshot import one_snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import Model

    from audits.replay.findings.marks import Key
    from compliance.events.actor import Actor


SETTLING = (Replay.State.WAITING, Replay.State.RUNNING, Replay.State.SETTLING)
FROM_FILE = (
    *("round", "table", "code", "seat", "logged", "expected", "delta", "cites", "source_line"),
)


@dataclass(frozen=True)
class Wrong:
    """A derived row that is not what its files give; `expected` has the fields that differ.

    Without `row`, it is missing; with `row` and without `expected`, nothing gives it.
    """

    model: type[Model]
    row: int | None
    where: str
    expected: dict[str, Any]
    made: Model | None = None
    """The row that is missing, to be saved."""

    def __str__(self) -> str:
        if self.row is None:
            return "is missing, though the findings files have it"
        if not self.expected:
            return "is in no findings file"
        return f"is not what the findings files give; different: {', '.join(sorted(self.expected))}"


def check_derived(answer: Answer) -> None:
    """Report each derived row that is not what files and events give."""
    with without_access_scope(), one_snapshot():
        for each in chain(wrong_rows(answer), wrong_sums(answer)):
            row = "" if each.row is None else f" {each.row}"
            answer.broken(str(each), f"{each.model._meta.label_lower}{row}, {each.where}")
        _check_headlines(answer)


def rebuild(by: Actor) -> Counter[str]:
    """Write what the files give, with one event; return how many rows of each table were wrong."""
    rebuilt: Counter[str] = Counter()
    with transaction.atomic(), without_access_scope():
        # The sums come last, because they are of the nights as they are then.
        for each in chain(list(wrong_rows(Answer())), wrong_sums(Answer())):
            rows = each.model._base_manager.filter(pk=each.row)
            if each.row is None and each.made is not None:
                each.made.save()
            elif each.expected:
                rows.update(**each.expected)
            elif each.row is not None:
                rows.delete()
            else:
                continue  # its issue is gone, and that is not derived
            rebuilt[each.model._meta.label_lower] += 1
        if rebuilt:
            record(DERIVED_REBUILT, by=by, carries={"rows": dict(rebuilt)})
    return rebuilt


def wrong_rows(answer: Answer) -> Iterator[Wrong]:
    """Yield each derived row that differs, day by day. Needs `without_access_scope`."""
    days = GamblingDay.objects.exclude(current=None).select_related("party", "current")
    for day in days.order_by("party", "day").iterator(chunk_size=100):
        if _is_settling(day):
            continue  # a newer replay is putting its findings on file
        units = list(units_of(day))
        try:
            yield from _of_day(day, units, answer)
        except (DamagedError, MissingError) as wrong:
            # The archive's own part says which file, and whether retention removed it.
            answer.notes.append(f"{day}: its derived rows were not compared. {wrong}")
        except (ZstdError, ValueError, LookupError, TypeError) as wrong:
            what = f"its findings files cannot be read ({type(wrong).__name__}): {wrong}"
            answer.broken(what, f"{day.party.code} {day.day}")
    yield from _strays()
    yield from _wrong_comparisons(answer)


def _is_settling(day: GamblingDay) -> bool:
    under_way = Replay.objects.filter(party=day.party, state__in=SETTLING, pk__gt=day.current_id)
    return any(str(day.day) in each for each in under_way.values_list("days", flat=True))


def _of_day(day: GamblingDay, units: Sequence[ReplaySegment], answer: Answer) -> Iterator[Wrong]:
    stored: dict[Key, list[IssueNight]] = defaultdict(list)
    rows = IssueNight.objects.filter(issue__party=day.party, day=day.day, replay__isnull=False)
    for row in rows.select_related("issue").order_by("pk"):
        stored[key_of(row.issue)].append(row)
        answer.checked += 1
    shown: dict[int, list[Finding]] = defaultdict(list)
    findings = Finding.objects.filter(issue__party=day.party, day=day.day, replay__isnull=False)
    for finding in findings.select_related("issue").order_by("pk"):
        shown[finding.issue_id].append(finding)
        answer.checked += 1
    clauses = _clauses_of({row.issue_id for each in stored.values() for row in each})
    where = f"{day.party.code} {day.day}"
    for key, night in nights_of(units):
        nights = stored.pop(key, [])
        if not nights:
            yield _missing_night(day, key, night, where)
            continue
        row, *others = nights
        yield from (Wrong(IssueNight, each.pk, where, {}) for each in others)
        yield from _wrong_night(row, day, night, where)
        yield from _wrong_parts(row, night, where)
        yield from _missing_findings(row.issue, shown[row.issue_id], day, night)
        for clause in sorted(night.cites - clauses.get(row.issue_id, set())):
            made = IssueClause(issue_id=row.issue_id, clause=clause)
            yield Wrong(IssueClause, None, f"issue {row.issue_id}, {clause}", {}, made)
    for nights in stored.values():  # the current replay found nothing of these
        for row in nights:
            yield from _wrong_night(row, day, Night(), where)
            yield from _wrong_parts(row, Night(), where)
    yield from _wrong_findings([each for rows in shown.values() for each in rows], units, where)


def _missing_night(day: GamblingDay, key: Key, night: Night, where: str) -> Wrong:
    issue = Issue.objects.filter(party=day.party, **key._asdict()).order_by("-pk").first()
    made = None
    if issue is not None:
        made = IssueNight(issue=issue, day=day.day, replay=day.current, **night.as_row())
    return Wrong(IssueNight, None, f"{where}, {' '.join(filter(None, key))}", {}, made)


def _wrong_night(row: IssueNight, day: GamblingDay, night: Night, where: str) -> Iterator[Wrong]:
    expected = night.as_row() | {"replay_id": day.current_id}
    different = {name: each for name, each in expected.items() if getattr(row, name) != each}
    if different:
        yield Wrong(IssueNight, row.pk, where, different)


def _wrong_parts(row: IssueNight, night: Night, where: str) -> Iterator[Wrong]:
    """Compare what an issue came to by table, code, wager and line."""
    given = {
        tuple(part): dict(zip(PART_SUMS, sums, strict=True)) for part, sums in night.parts.items()
    }
    for part in IssuePart.objects.filter(issue=row.issue_id, day=row.day):
        expected = given.pop((part.table, part.code, part.wager, part.line), None)
        if expected is None:
            yield Wrong(IssuePart, part.pk, where, {})
            continue
        different = {name: each for name, each in expected.items() if getattr(part, name) != each}
        if different:
            yield Wrong(IssuePart, part.pk, where, different)
    for (table, code, wager, line), sums in given.items():
        made = IssuePart(
            issue_id=row.issue_id,
            day=row.day,
            table=table,
            code=code,
            wager=wager,
            line=line,
            **sums,
        )
        yield Wrong(IssuePart, None, where, {}, made)


def _clauses_of(issues: set[int]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    rows = IssueClause.objects.filter(issue__in=issues).values_list("issue", "clause")
    for issue, clause in rows.iterator():
        found[issue].add(clause)
    return found


def _missing_findings(
    issue: Issue, rows: Sequence[Finding], day: GamblingDay, night: Night
) -> Iterator[Wrong]:
    """Yield first findings that are not shown, unless earlier ones took their places."""
    known = {row.identity for row in rows}
    nothing = ExampleFindings(day, {}, {})
    for unit, occurred in night.examples:
        there = [row for row in rows if row.segment_id == unit.segment_id]
        if sum(row.standing != Finding.Standing.GONE for row in there) >= MOST_EXAMPLES:
            continue
        for example in occurred.examples:
            finding = orjson.loads(example)
            if finding["id"] not in known:
                where = f"{day.party.code} {day.day}, {finding['id']}"
                yield Wrong(
                    Finding, None, where, {}, row_of(unit.replay, issue, unit, finding, nothing)
                )


def _wrong_findings(
    rows: Sequence[Finding], units: Sequence[ReplaySegment], where: str
) -> Iterator[Wrong]:
    """Compare shown findings with the files of the replays that they were copied from."""
    by_unit: dict[tuple[int | None, int | None], list[Finding]] = defaultdict(list)
    for row in rows:
        by_unit[row.replay_id, row.segment_id].append(row)
    identities = {row.identity for row in rows}
    current = {(unit.replay_id, unit.segment_id): _findings_in(unit, identities) for unit in units}
    for (replay, segment), of_unit in by_unit.items():
        found = current.get((replay or 0, segment or 0))
        if found is None:
            unit = ReplaySegment.objects.filter(replay=replay, segment=segment).first()
            try:
                found = _findings_in(unit, identities) if unit else {}
            except MissingError:
                continue  # retention removed what a former replay found
        for row in of_unit:
            yield from _wrong_finding(row, found.get(row.identity), where)
    there = {identity for found in current.values() for identity in found}
    yield from _wrong_standings(rows, there, where)


def _findings_in(unit: ReplaySegment, wanted: set[str]) -> dict[str, dict[str, Any]]:
    if not wanted:
        return {}
    with findings_of(unit) as lines:
        return {each["id"]: each for each in map(orjson.loads, lines) if each["id"] in wanted}


def _wrong_finding(row: Finding, found: dict[str, Any] | None, where: str) -> Iterator[Wrong]:
    if found is None:
        yield Wrong(Finding, row.pk, where, {})
        return
    expected = {
        **{name: found[name] for name in FROM_FILE},
        "at": instant(found["at"]),
        **{name: found[name] or "" for name in ("wager", "line", "player")},
        "log_sha256": found["log"],
    }
    different = {name: each for name, each in expected.items() if getattr(row, name) != each}
    if different:
        yield Wrong(Finding, row.pk, where, different)


def _wrong_standings(rows: Sequence[Finding], there: set[str], where: str) -> Iterator[Wrong]:
    """Yield findings that are marked as gone and are not, or the other way round."""
    gone = Finding.Standing.GONE
    for row in rows:
        if (row.standing == gone) == (row.identity in there):
            standing = Finding.Standing.CONFIRMED if row.identity in there else gone
            yield Wrong(Finding, row.pk, where, {"standing": standing})


def _strays() -> Iterator[Wrong]:
    """Yield nights and findings of days without a current replay."""
    for model in (IssueNight, Finding):
        audited = GamblingDay.objects.filter(
            party=OuterRef("issue__party"), day=OuterRef("day"), current__isnull=False
        )
        rows = model.objects.filter(~Exists(audited), replay__isnull=False)
        for key, day in rows.exclude(replay__state__in=SETTLING).values_list("pk", "day"):
            yield Wrong(model, key, f"{day}", {})


def _wrong_comparisons(answer: Answer) -> Iterator[Wrong]:
    """Yield comparisons of replays that, made again, have another result."""
    for kept in ReplayComparison.objects.select_related("former", "later").order_by("pk"):
        answer.checked += 1
        found = Comparison(Standing(), {}, {kind: [] for kind in KINDS})
        try:
            for day in kept.days[: kept.compared]:
                found += compare_day(
                    former=kept.former, later=kept.later, day=date.fromisoformat(day)
                )
        except (DamagedError, MissingError) as wrong:
            answer.notes.append(f"{kept} was not made again. {wrong}")
            continue
        result = json.loads(json.dumps(found.as_kept())) if kept.compared else {}
        if kept.result != result:
            yield Wrong(ReplayComparison, kept.pk, str(kept.uuid), {"result": result})


def wrong_sums(answer: Answer) -> Iterator[Wrong]:
    """Yield issues whose sums, names or place in the queue their nights do not give."""
    sums = {
        **{f"sum_{name}": sum_of_cents(f"nights__{name}") for name in SUMMED},
        "sum_first": Min("nights__first"),
        "sum_last": Max("nights__last"),
    }
    named = _names_of_parts()
    for issue in Issue.objects.order_by("pk").annotate(**sums).iterator():
        answer.checked += 1
        expected = {name: getattr(issue, f"sum_{name}") for name in (*SUMMED, "first", "last")}
        expected |= named.get(issue.pk, {})
        different = {name: each for name, each in expected.items() if getattr(issue, name) != each}
        for name, each in different.items():
            setattr(issue, name, each)
        if issue.impact != impact_of(issue):
            different["impact"] = impact_of(issue)
        if different:
            yield Wrong(Issue, issue.pk, str(issue.uuid), different)


def _names_of_parts() -> dict[int, dict[str, str]]:
    """Return the only table, wager and line of each issue that has parts; empty if several."""
    edges = [edge(name) for name in NAMES for edge in (Min, Max)]
    parts = IssuePart.objects.filter(findings__gt=0).order_by().values("issue").annotate(*edges)
    rows = parts.values_list("issue", *(each.default_alias for each in edges))
    return {
        issue: {
            name: values[2 * place] if values[2 * place] == values[2 * place + 1] else ""
            for place, name in enumerate(NAMES)
        }
        for issue, *values in rows.iterator()
    }


def _check_headlines(answer: Answer) -> None:
    """Report issues that say something else than when they were opened; that never changes."""
    opened = Event.objects.filter(type=ISSUE_OPENED.name, payload__has_key="says")
    recorded = {
        issue: (event, payload["says"])
        for event, issue, payload in opened.values_list("pk", "object", "payload").iterator()
    }
    for issue in Issue.objects.order_by("pk").iterator():
        event, digested = recorded.get(issue.uuid, (0, ""))
        if digested and digest([issue.headline, issue.diagnosis]) != digested:
            what = f"its headline or cause is not what event {event:,} recorded"
            answer.broken(what, f"audits.issue {issue.pk}, {issue.uuid}")
