"""Split an issue, or merge it into another, by hand and with a reason.

Each act is a route that later replays follow, too. The nights on file are counted again at once.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from django.db import transaction

from audits.commission import unit_of
from audits.intake.days.models import GamblingDay
from audits.replay.auditing.cause_keys import SPLIT, inferred_cause
from audits.replay.findings.files import weight_of
from audits.replay.findings.models import (
    CauseRoute,
    Finding,
    Issue,
    IssueNight,
    IssuePart,
    IssueVisibility,
)
from audits.replay.findings.reads import impact_of, units_of
from audits.replay.findings.wording import title_of
from audits.replay.models import Replay
from audits.replay.units import repair_unit
from audits.review import events
from audits.review.issues.assignments import work_on
from audits.review.issues.decisions import overtake
from audits.review.issues.examples import ExampleFindings, key_of
from audits.review.issues.models import Proposal, Work
from audits.review.issues.nights import Night, nights_of
from audits.review.issues.recording import RecordedDay, codes_in_order
from audits.review.issues.sums import Sums
from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.record import record

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date

    from django.db.models import QuerySet

    from compliance.access.models import Person


MOST_NIGHTS: Final = 100
"""Nights that are counted again while a person waits."""


@dataclass(frozen=True, kw_only=True)
class Portion:
    """Which findings of an issue to split off: those that match everything that is named."""

    tables: Collection[str] = ()
    lines: Collection[tuple[str, str]] = ()
    """Wagers and lines."""
    first: date | None = None
    last: date | None = None

    def __bool__(self) -> bool:
        """Return whether anything is named."""
        return bool(self.tables or self.lines or self.first or self.last)


def split_issue(
    *, issue: Issue, portion: Portion, reason: str, by: Person, edition: int | None = None
) -> Issue:
    """Split findings off an issue into a new one of the same cause; return the new issue.

    Refuses: what `_require_free` refuses; a portion that is empty, or has every finding.
    """
    require(by, Action.REVIEW_FINDINGS, issue.party)
    if not portion:
        msg = "Choose what to split off: tables, wagers and lines, or gambling days."
        raise RefusedError(msg)
    with transaction.atomic(), without_access_scope():
        kept = overtake(issue, by, edition)
        _require_free(kept)
        given = _required(reason)
        made = _split_off(kept, by)
        _route(
            kept,
            made,
            by,
            given,
            tables=sorted(portion.tables),
            lines=sorted(map(list, portion.lines)),
            first=portion.first,
            last=portion.last,
        )
        _count_again(_days_of(kept), (kept, made))
        for each, says in ((made, "None of its findings matches"), (kept, "All findings match")):
            each.refresh_from_db()
            if not each.findings:
                msg = f"{says} what you chose. Choose some of the findings, not all."
                raise RefusedError(msg)
        _name_codes(kept, made)
        carries = {"issue": str(made.uuid), "findings": made.findings}
        record(events.SPLIT, by=by, about=kept, party=kept.party, reason=given, carries=carries)
        record(
            events.SPLIT_OFF,
            by=by,
            about=made,
            party=kept.party,
            reason=given,
            carries={"issue": str(kept.uuid)},
        )
    return made


def merge_issue(
    *, issue: Issue, into: Issue, reason: str, by: Person, edition: int | None = None
) -> Issue:
    """Merge all findings of an issue into another one, and close it; return the other.

    Refuses: what `_require_free` refuses; issues of two operators or games; two of which the
    operator sees only one.
    """
    require(by, Action.REVIEW_FINDINGS, issue.party)
    with transaction.atomic(), without_access_scope():
        kept, target = overtake(issue, by, edition), overtake(into, by, None)
        given = _required(reason)
        if kept.pk == target.pk or (kept.party_id, kept.game) != (target.party_id, target.game):
            msg = "Choose another issue of the same operator and game."
            raise RefusedError(msg)
        for each in (kept, target):
            _require_free(each)
        if (kept.released is None) != (target.released is None):
            msg = f"{kept.party} sees only one of the two issues. Release the other one first."
            raise RefusedError(msg)
        _route(kept, target, by, given)
        days = _days_of(kept)
        kept.state, kept.open = Issue.State.EMPTY, False
        kept.changed_since = f"Merged into “{title_of(target)}”. {given}"
        kept.save(update_fields=["state", "open", "changed_since"])
        _count_again(days, (kept, target))
        _name_codes(target)
        carries = {"issue": str(target.uuid)}
        record(events.MERGED, by=by, about=kept, party=kept.party, reason=given, carries=carries)
        record(
            events.ABSORBED,
            by=by,
            about=target,
            party=kept.party,
            reason=given,
            carries={"issue": str(kept.uuid)},
        )
    return target


def merge_targets(issue: Issue) -> QuerySet[Issue]:
    """Return the open issues that an issue could be merged into."""
    found = Issue.objects.filter(party=issue.party_id, game=issue.game, open=True, findings__gt=0)
    is_same = found.filter(released__isnull=issue.released is None)
    return is_same.exclude(pk=issue.pk).select_related("party").order_by("-impact", "pk")


def may_regroup(issue: Issue) -> bool:
    """Return whether an issue is open and found in rounds."""
    return issue.open and bool(issue.rounds) and not _is_of_days(issue)


def _is_of_days(issue: Issue) -> bool:
    return IssueNight.objects.filter(issue=issue, replay__isnull=True).exists()


def _require_free(issue: Issue) -> None:
    """Refuse an issue that is decided, proposed, asked about, or not about rounds."""
    settling = Replay.objects.filter(party=issue.party_id, state=Replay.State.SETTLING)
    nights = IssueNight.objects.filter(issue=issue).count()
    for is_so, msg in (
        (not issue.open, f"“{title_of(issue)}” is decided. Reopen it first."),
        (
            Proposal.objects.filter(issue=issue).exists(),
            "A decision is proposed. Approve it, reject it or withdraw it first.",
        ),
        (
            issue.state == Issue.State.INFORMATION_REQUESTED,
            f"{issue.party} has not answered the question yet. Wait for the answer, or go on "
            "without it.",
        ),
        (
            _is_of_days(issue),
            "This issue is not about rounds, so its findings cannot be split or merged.",
        ),
        (
            settling.exists(),
            "Results of an audit are being put on file. Try again in a minute.",
        ),
        (
            nights > MOST_NIGHTS,
            f"This issue has {nights:,} nights. At most {MOST_NIGHTS} can be regrouped at once.",
        ),
    ):
        if is_so:
            raise RefusedError(msg)


def _required(reason: str) -> str:
    if not reason.strip():
        msg = "Give a reason."
        raise RefusedError(msg)
    return reason.strip()


def _split_off(issue: Issue, by: Person) -> Issue:
    """Create the new issue, seen by and assigned to the same people."""
    former = Work.objects.get(issue=issue)
    made = Issue.objects.create(
        party=issue.party,
        game=issue.game,
        cause=f"{inferred_cause(issue.cause)[:150]}{SPLIT}{uuid4().hex[:8]}",
        headline=issue.headline,
        diagnosis=issue.diagnosis,
        code=issue.code,
        weight=issue.weight,
        state=Issue.State.UNDER_REVIEW,
        released=issue.released,
        opened=clock.now(),
    )
    for seen in IssueVisibility.objects.filter(shown=issue):
        IssueVisibility.objects.create(shown=made, party=seen.party)
    work = work_on(issue=made, unit=unit_of(by))
    Work.objects.filter(pk=work.pk).update(
        assigned_to=former.assigned_to, assigned=former.assigned, due=former.due
    )
    return made


def _route(source: Issue, target: Issue, by: Person, reason: str, **portion: object) -> None:
    route = CauseRoute(
        source=source, target=target, reason=reason, by=by.uuid, at=clock.now(), **portion
    )
    route.save()


def _days_of(issue: Issue) -> list[date]:
    nights = IssueNight.objects.filter(issue=issue, replay__isnull=False)
    return list(nights.order_by("day").values_list("day", flat=True))


def _count_again(days: Collection[date], issues: Collection[Issue]) -> None:
    """Write what the issues come to on some days, from the findings of each current replay."""
    keys = {key_of(each) for each in issues}
    party = next(iter(issues)).party
    current = GamblingDay.objects.filter(party=party, day__in=days, current__isnull=False)
    for day in current.select_related("party", "current__made_for"):
        assert day.current is not None  # noqa: S101 - filtered
        units = list(units_of(day))
        for unit in units:
            repair_unit(unit)
        shown = _moved(ExampleFindings.of(day, day.current, units), issues)
        recorded = RecordedDay(day.current, day, units, {}, "", shown)
        found = {key: night for key, night in nights_of(units) if key in keys}
        on_file = IssueNight.objects.filter(issue__in=issues, day=day.day).select_related("issue")
        for row in on_file:
            found.setdefault(key_of(row.issue), Night())
        sums = Sums()
        recorded.write(sorted(found.items(), key=itemgetter(0)), sums)
        sums.write()


def _moved(shown: ExampleFindings, issues: Collection[Issue]) -> ExampleFindings:
    """Put findings that are shown in full where they belong now."""
    of_key = {key_of(each): each.pk for each in issues}
    rows = defaultdict(list)
    for row in chain.from_iterable(shown.rows.values()):
        found = shown.found.get(row.identity)
        target = of_key.get(found.key) if found else None
        if target is not None and target != row.issue_id and row.issue_id in of_key.values():
            row.issue_id = target
            Finding.objects.filter(pk=row.pk).update(issue=target)
        rows[row.issue_id].append(row)
    return ExampleFindings(shown.day, rows, shown.found)


def _name_codes(*issues: Issue) -> None:
    """Lead each issue by the code that comes first among its own findings."""
    for issue in issues:
        found = IssuePart.objects.filter(issue=issue, findings__gt=0)
        counts = {each.code: 0 for each in found}
        for each in found:
            counts[each.code] += each.findings
        issue.refresh_from_db()
        issue.code = codes_in_order(counts)[0]
        issue.weight = weight_of(counts)
        issue.impact = impact_of(issue)
        issue.save(update_fields=["code", "weight", "impact"])
