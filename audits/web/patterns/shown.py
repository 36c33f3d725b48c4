"""What the page of a pattern shows: to the commission all of it, to others what was released."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from audits.findings_in_words import code_in_words, name_in_words, value_in_words
from audits.judging.whose_money import whose
from audits.models import Case, Decision, Finding, Pattern, Proposal, ReviewNote, RoundLog, Work
from audits.review_steps import STEPS
from audits.web.rounds.times import shown
from compliance.models import Person
from compliance.permissions import Action
from compliance.web.acting import allows
from compliance.web.lists import dollars, signed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from django.http import HttpRequest

NIGHTS = 31


@dataclass(frozen=True)
class Inside:
    """What the commission alone sees of a pattern."""

    work: Work | None
    proposal: Proposal | None
    decisions: list[tuple[Decision, str, str]]
    """Each with who decided and who agreed."""
    notes: list[tuple[ReviewNote, str]]
    cases: list[Case]
    """Those that are open on its operator."""
    lies_in: list[Case]
    again_after: Pattern | None

    @classmethod
    def of(cls, pattern: Pattern) -> Inside:
        """Read what was done about a pattern."""
        taken = Decision.objects.filter(pattern=pattern).select_related("case")
        decisions = list(taken.prefetch_related("papers__paper__document"))
        notes = list(ReviewNote.objects.filter(pattern=pattern))
        people = [each.by for each in decisions] + [each.by for each in notes]
        people += [each.seconded_by for each in decisions if each.seconded_by]
        names = _names(people)
        return cls(
            Work.objects.filter(pattern=pattern).select_related("assigned_to").first(),
            Proposal.objects.filter(pattern=pattern).select_related("by", "case").first(),
            [(d, names.get(d.by, ""), _name(names, d.seconded_by)) for d in decisions],
            [(each, names.get(each.by, "")) for each in notes],
            list(Case.objects.filter(party=pattern.party_id, state=Case.State.OPEN)),
            list(Case.objects.filter(items__pattern=pattern, items__removal__isnull=True)),
            Pattern.objects.filter(again=pattern).first(),
        )

    @property
    def edition(self) -> int:
        """Which edition of the pattern a page shows."""
        return self.work.edition if self.work else 0

    @property
    def proposed(self) -> str:
        """What waits for a second pair of eyes."""
        return STEPS[self.proposal.step].label if self.proposal else ""


def in_one_sentence(pattern: Pattern) -> str:
    """What happened: where, how often, when, and what it moved."""
    where = " of ".join(
        filter(None, (f"Table {pattern.table}" if pattern.table else "", pattern.party.name))
    )
    what = ", ".join(map(name_in_words, filter(None, (pattern.game, pattern.wager, pattern.line))))
    often = how_often(pattern)
    times = [_time(at) for at in (pattern.first, pattern.last) if at is not None]
    when = f", {' to '.join(dict.fromkeys(times))}" if times else ""
    money = [
        f"{dollars(cents)} too {much}"
        for cents, much in ((abs(pattern.over), "much"), (abs(pattern.under), "little"))
        if cents
    ]
    who = whose(pattern.code, pattern.wager)
    moved = f"; {who} received {' and '.join(money)}" if money else ""
    return f"{where}{f' ({what})' if what else ''}: {often}{when}{moved}."


def how_often(pattern: Pattern) -> str:
    """In how many rounds; of what no round carries, how many findings."""
    count, what = (pattern.rounds, "round") if pattern.rounds else (pattern.findings, "finding")
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def money_of(row: Any) -> dict[str, str]:
    """Money by direction, each with its sign."""
    return {"over": signed(abs(row.over)), "under": signed(-abs(row.under))}


def nights_of(pattern: Pattern, *, inside: bool) -> tuple[list[dict[str, Any]], bool]:
    """The newest gambling days on which it occurred; whether there are earlier ones."""
    nights = pattern.nights.order_by("-day")
    found = list((nights.select_related("replay") if inside else nights)[: NIGHTS + 1])
    rows = [
        {
            "night": night,
            "replay": night.replay if inside else None,
            "first": shown(night.first, "g:i A") if night.first else "–",
            "last": shown(night.last, "g:i A") if night.last else "–",
            **money_of(night),
        }
        for night in found[:NIGHTS]
    ]
    return rows, len(found) > NIGHTS


def findings_of(
    request: HttpRequest, pattern: Pattern, found: Iterable[Finding]
) -> list[dict[str, Any]]:
    """Findings as rows, each with the address of its line as handed in, where one may read it."""
    rows = list(found)
    digests = {each.log_sha256 for each in rows} - {""}
    logs: dict[str, UUID] = {}
    sees_rounds = allows(request, Action.SEE_ROUNDS, pattern.party)
    if sees_rounds:
        known = RoundLog.objects.filter(party=pattern.party_id, sha256__in=digests)
        logs = {each.sha256: each.uuid for each in known}
    return [
        {
            "finding": each,
            "logged": value_in_words(pattern.code, each.logged),
            "expected": value_in_words(pattern.code, each.expected),
            "delta": signed(each.delta),
            "line": reverse("log_line", args=[logs[each.log_sha256], each.source_line])
            if each.log_sha256 in logs and each.source_line
            else "",
            "when": shown(each.at, "M j, g:i:s A") if each.at else "",
            "page": reverse("round", args=[pattern.party.code, each.round])
            if sees_rounds and each.round
            else "",
        }
        for each in rows
    ]


def title_of(pattern: Pattern) -> str:
    """The heading of a pattern."""
    return code_in_words(pattern.code).rstrip(".")


def _time(at: datetime) -> str:
    return shown(at, "M j, Y, g:i A")


def _names(people: Iterable[UUID]) -> dict[UUID, str]:
    return {each.uuid: each.name for each in Person.objects.filter(uuid__in=set(people))}


def _name(names: dict[UUID, str], person: UUID | None) -> str:
    return names.get(person, "") if person else ""
