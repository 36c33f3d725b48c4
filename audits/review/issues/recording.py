"""Record what a replay found on a gambling day: issues, their nights and shown findings."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

import structlog

from audits.intake.repair import RepairError
from audits.replay.auditing.cause_keys import FAMILIES, ISOLATED
from audits.replay.auditing.causes import SETTLEMENT
from audits.replay.events import ISSUE_OPENED
from audits.replay.findings.files import BY_SEVERITY
from audits.replay.findings.marks import Key, Standing, compare
from audits.replay.findings.models import (
    Finding,
    Issue,
    IssueClause,
    IssueNight,
    IssuePart,
    IssueVisibility,
)
from audits.replay.findings.reads import units_of
from audits.replay.findings.routes import marks_of
from audits.replay.units import repair_unit
from audits.review.issues.assignments import work_on
from audits.review.issues.examples import ExampleFindings, change_examples, key_of
from audits.review.issues.nights import PART_SUMS, SUMMED, Night, nights_of
from audits.review.issues.writes import close_if_empty, reopen_empty, return_for_decision
from audits.review.releases.writes import release_as_standing
from compliance import clock
from compliance.events.actor import SYSTEM
from compliance.events.canonical import digest
from compliance.events.record import record
from games.checks import severity
from games.findings import BALANCE, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audits.intake.days.models import GamblingDay
    from audits.replay.models import Replay, ReplaySegment
    from audits.review.issues.sums import Before, Names, Sums


AT_ONCE: Final = 100
"""Issues written in one step."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class RecordedDay:
    """A day of which a replay becomes the current one."""

    replay: Replay
    day: GamblingDay
    units: Sequence[ReplaySegment]
    standings: dict[Key, Standing]
    """What became of the findings of the former current replay."""
    unknown: str
    """Why that is unknown."""
    shown: ExampleFindings

    @classmethod
    def of(cls, replay: Replay, day: GamblingDay, units: Sequence[ReplaySegment]) -> RecordedDay:
        """Compare with the former current replay of the day, and look up what is shown."""
        standings, unknown = _standings(day, replay, units)
        shown = ExampleFindings.of(day, replay, units)
        return cls(replay, day, units, standings, unknown, shown)

    def steps(self, sums: Sums) -> Iterator[None]:
        """Write the issues, some in each step; what is on file already is not repeated.

        The caller writes the sums in the transaction in which it takes a step.
        """
        known = self._known()
        done = {key for key, by in known.items() if by == self.replay.pk}
        found = set()

        def changed() -> Iterator[tuple[Key, Night]]:
            for key, night in nights_of(self.units):
                found.add(key)
                if key not in done:
                    yield key, night
            yield from ((key, Night()) for key in sorted(known.keys() - found - done))

        left = changed()
        while some := list(islice(left, AT_ONCE)):
            self.write(some, sums)
            yield

    def compared(self) -> dict[str, Any]:
        """Return which replay it was compared with, and how many findings are what now."""
        if self.day.current is None or self.day.current_id == self.replay.pk:
            return {}
        total = sum(self.standings.values(), Standing())
        against = {"against": str(self.day.current.uuid)}
        return against | ({"unknown": self.unknown} if self.unknown else total._asdict())

    def _known(self) -> dict[Key, int | None]:
        """Return the issues that occurred on the day, with the last replay that reported each."""
        nights = IssueNight.objects.filter(
            issue__party=self.day.party, day=self.day.day, replay__isnull=False
        ).select_related("issue")
        return {key_of(night.issue): night.replay_id for night in nights}

    def write(self, found: Sequence[tuple[Key, Night]], sums: Sums) -> None:
        """Assign the findings of each cause to the issue they belong to."""
        of_cause = self._issues([key for key, _ in found])
        same = [issue.pk for issues in of_cause.values() for issue in issues]
        on_day = {
            each.issue_id: each
            for each in IssueNight.objects.filter(issue__in=same, day=self.day.day)
        }
        issues = [self._issue_of(key, night, of_cause[key], on_day) for key, night in found]
        nights = [night for _, night in found]
        before = {
            issue.pk: {name: getattr(row, name) for name in ("replay_id", *SUMMED, "first", "last")}
            for issue in issues
            if (row := on_day.get(issue.pk)) is not None
        }
        rows = self._write_nights(issues, nights, on_day)
        names = self._write_parts(issues, nights, before)
        _name_clauses(issues, nights)
        examples = [
            change_examples(replay=self.replay, issue=issue, night=night.examples, shown=self.shown)
            for issue, night in zip(issues, nights, strict=True)
        ]
        Finding.objects.bulk_create(chain.from_iterable(examples))
        for issue, (key, night), row in zip(issues, found, rows, strict=True):
            was = before.get(issue.pk)
            self._return_for_decision(issue, self.standings.get(key), was)
            sums.change(issue, row, was, _names_in(night), names.get(issue.pk, ()))
            if was is not None and not night.findings:
                sums.write()
                close_if_empty(issue=issue, day=self.day.day, replay=self.replay)

    def _issues(self, keys: Sequence[Key]) -> dict[Key, list[Issue]]:
        """Return the issues of each cause, the newest first."""
        found: dict[Key, list[Issue]] = defaultdict(list)
        rows = Issue.objects.filter(
            party=self.day.party,
            game__in={key.game for key in keys},
            cause__in={key.cause for key in keys},
        )
        for issue in rows.order_by("-pk"):
            found[key_of(issue)].append(issue)
        return found

    def _issue_of(
        self, key: Key, night: Night, same: Sequence[Issue], on_day: dict[int, IssueNight]
    ) -> Issue:
        """Return the issue that already covers this night, else the open one, else a new one.

        Decided occurrences stay with their decision; a new issue follows the last decided one.
        """
        empty = Issue.State.EMPTY
        covering = (
            issue
            for issue in same
            if issue.state != empty
            and issue.pk in on_day
            and on_day[issue.pk].replay_id is not None
        )
        is_open = (issue for issue in same if issue.open)
        is_empty = (issue for issue in same if issue.state == empty)
        found = next(chain(covering, is_open, is_empty), None)
        if found is None:
            return self._open(key, night, same[0] if same else None)
        if night.findings and found.state == empty:
            reopen_empty(issue=found, day=self.day.day, replay=self.replay)
        return found

    def _open(self, key: Key, night: Night, again_after: Issue | None) -> Issue:
        replay, day = self.replay, self.day
        codes = _codes(night)
        made = Issue.objects.create(
            party=day.party,
            **key._asdict(),
            headline=night.headline,
            diagnosis=_sentence(night.headline) if _is_inferred(key, codes) else "",
            code=codes[0] if codes else key.inferred.split()[0],
            weight=night.weight or Severity.NOTICE,
            again_after=again_after,
            opened=clock.now(),
        )
        IssueVisibility.objects.create(shown=made, party=replay.made_for)
        work_on(issue=made, unit=replay.made_for)
        record(
            ISSUE_OPENED,
            by=SYSTEM,
            party=day.party,
            about=made,
            carries={
                "code": made.code,
                "cause": key.cause,
                "day": str(day.day),
                "says": digest([made.headline, made.diagnosis]),
                "again_after": str(made.again_after.uuid) if made.again_after else "",
            },
        )
        release_as_standing(issue=made, codes=codes)
        return made

    def _write_nights(
        self,
        issues: Sequence[Issue],
        nights: Sequence[Night],
        on_day: dict[int, IssueNight],
    ) -> list[IssueNight]:
        rows, new = [], []
        for issue, night in zip(issues, nights, strict=True):
            row = on_day.get(issue.pk)
            if row is None:
                row = IssueNight(
                    issue=issue, day=self.day.day, replay=self.replay, **night.as_row()
                )
                new.append(row)
            else:
                for name, value in night.as_row().items():
                    setattr(row, name, value)
                row.replay = self.replay
                row.save()
            rows.append(row)
        IssueNight.objects.bulk_create(new)
        return rows

    def _write_parts(
        self, issues: Sequence[Issue], nights: Sequence[Night], before: Mapping[int, Before]
    ) -> dict[int, set[Names]]:
        """Record what issues came to by table, code, wager and line, in place of what was there.

        Return the names of the former parts with findings, by issue.
        """
        names: dict[int, set[Names]] = defaultdict(set)
        if before:
            former = IssuePart.objects.filter(issue__in=before.keys(), day=self.day.day)
            counted = former.filter(findings__gt=0)
            for issue, table, wager, line in counted.values_list("issue", "table", "wager", "line"):
                names[issue].add((table, wager, line))
            former.delete()
        IssuePart.objects.bulk_create(
            IssuePart(
                issue=issue,
                day=self.day.day,
                **part._asdict(),
                **dict(zip(PART_SUMS, sums, strict=True)),
            )
            for issue, night in zip(issues, nights, strict=True)
            for part, sums in sorted(night.parts.items())
        )
        return names

    def _return_for_decision(
        self, issue: Issue, standing: Standing | None, before: Before | None
    ) -> None:
        if issue.open or not standing or before is None or before["replay_id"] == self.replay.pk:
            return
        counted = [f"{count} {name}" for name, count in standing._asdict().items() if count]
        says = f"On {self.day.day}: {', '.join(counted)}, by a replay after the decision."
        return_for_decision(issue=issue, day=self.day.day, says=says, replay=self.replay)


def _standings(
    day: GamblingDay, replay: Replay, units: Sequence[ReplaySegment]
) -> tuple[dict[Key, Standing], str]:
    """Return what became of the findings of the former current replay, or why that is unknown.

    A former replay whose files are lost for good must not block the day.
    """
    if day.current is None or day.current_id == replay.pk:
        return {}, ""
    former = list(units_of(day))
    try:
        for unit in former:
            repair_unit(unit)
    except RepairError as wrong:
        log.warning("findings cannot be compared", replay=day.current_id, why=str(wrong))
        return {}, str(wrong)
    marks = [[marks_of(unit) for unit in each] for each in (former, units)]
    return compare(*marks), ""


def _names_in(night: Night) -> set[Names]:
    return {
        (part.table, part.wager, part.line) for part, sums in night.parts.items() if sums[0] > 0
    }


def _name_clauses(issues: Sequence[Issue], nights: Sequence[Night]) -> None:
    """Record the clauses that findings of issues cite; known ones stay as they are."""
    rows = IssueClause.objects.filter(issue__in=issues).values_list("issue", "clause")
    known = set(rows)
    IssueClause.objects.bulk_create(
        [
            IssueClause(issue=issue, clause=clause)
            for issue, night in zip(issues, nights, strict=True)
            for clause in sorted(night.cites)
            if (issue.pk, clause) not in known
        ],
        ignore_conflicts=True,
    )


def _is_inferred(key: Key, codes: Sequence[str]) -> bool:
    """Return whether the cause is an explanation, not the rule that was broken."""
    paid = any(code.startswith(SETTLEMENT) for code in codes)
    return paid and key.inferred not in {ISOLATED, *FAMILIES, *codes}


def _sentence(headline: str) -> str:
    return f"{headline[:1].upper()}{headline[1:]}."


def _codes(night: Night) -> list[str]:
    counts: Counter[str] = Counter()
    for part, sums in night.parts.items():
        counts[part.code] += sums[0]
    return codes_in_order(counts)


def codes_in_order(counts: Mapping[str, int]) -> list[str]:
    """Return codes by severity and then the most frequent first.

    The balance of a table follows from the results of its seats, so it names an issue only alone.
    """
    return sorted(
        counts,
        key=lambda code: (
            BY_SEVERITY.index(severity(code)), code == BALANCE, -counts[code], code
        ),
    )  # fmt: skip
