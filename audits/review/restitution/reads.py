"""Queries for what players are owed and what their operator paid."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

import orjson
from django.db.models import Exists, Min, OuterRef
from django.utils import timezone

from audits.intake.days.models import GamblingDay
from audits.replay.findings.marks import Key
from audits.replay.findings.models import IssueNight
from audits.replay.findings.reads import audited_days, of_players, sum_of_cents, units_of
from audits.replay.findings.routes import findings_with_keys
from audits.review.restitution.models import RestitutionPaper, RestitutionPayment
from compliance.access.models import Party
from compliance.access.scope import without_access_scope
from compliance.filings.documents.reads import CitedDocument, cited_documents
from compliance.law.business_days import last_day
from games.findings import MoneyOwner, money_owner

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date, datetime
    from typing import Any

    from django.db.models import QuerySet


NOBODY = "No one player: a whole deal, or not named in the log"


@dataclass
class Owed:
    """A player's totals at a table on a day in cents, overpaid and underpaid separately."""

    operator: str
    day: date
    game: str
    table: str
    player: str
    """Empty if the log names no player."""
    findings: int = 0
    owed: int = 0
    """Cents underpaid."""
    received: int = 0
    """Cents overpaid."""

    @property
    def name(self) -> str:
        """Return who it is for people."""
        return self.player or NOBODY

    def add(self, delta: int) -> None:
        """Count one finding."""
        self.findings += 1
        self.owed += max(-delta, 0)
        self.received += max(delta, 0)


def restitution(
    *,
    operator: Party | None = None,
    day: date | None = None,
    causes: Collection[Key] | None = None,
) -> Iterator[Owed]:
    """Yield what players are owed by day, operator, game, table and player.

    With `causes`, count only findings of these causes.
    """
    for each in audited_days(operator=operator, day=day).filter(current__isnull=False).iterator():
        for (game, table), findings in groupby(
            _money(each, causes), lambda it: (it["game"], it["table"])
        ):
            players: dict[str, Owed] = {}
            for finding in findings:
                player = finding["player"] or ""
                if player not in players:
                    players[player] = Owed(each.party.code, each.day, game, table, player)
                players[player].add(finding["delta"])
            yield from (players[player] for player in sorted(players))


def is_owed(finding: dict[str, Any]) -> bool:
    """Return whether a finding means that a player was overpaid or underpaid."""
    code = finding["code"]
    of_a_player = money_owner(code, finding["wager"]) is MoneyOwner.PLAYERS
    paid_wrong = code.startswith("settlement.") or code == "void.result"
    return bool(finding["delta"]) and of_a_player and paid_wrong


def _money(day: GamblingDay, causes: Collection[Key] | None) -> Iterator[dict[str, Any]]:
    for unit in units_of(day):
        with findings_with_keys(unit) as lines:
            for line, key in lines:
                if causes is None or key in causes:
                    finding = orjson.loads(line)
                    if is_owed(finding):
                        yield finding


DAYS_TO_PAY: Final = 30
"""Counted from the release. No rule sets this number; it equals the time to answer a filing."""


@dataclass(frozen=True)
class Payment:
    """A payment on file, and the documents that prove it."""

    row: RestitutionPayment
    documents: list[CitedDocument]


@dataclass
class ToPay:
    """What a player is owed at a table on a day, and the payments on file."""

    owed: Owed
    payments: list[Payment]

    @property
    def paid(self) -> int:
        """Return the cents that the operator confirmed as paid."""
        return sum(each.row.cents for each in self.payments)

    @property
    def left(self) -> int:
        """Return the cents still to be paid."""
        return max(0, self.owed.owed - self.paid)


def to_pay(party: Party, day: date) -> list[ToPay]:
    """Return what players are owed by a day's released findings; unpaid amounts come first."""
    released = {
        Key(each.game, each.cause)
        for each in (night.issue for night in _nights().filter(issue__party=party, day=day))
    }
    documents = cited_documents(
        RestitutionPaper.objects.filter(comment__party=party, comment__day=day)
    )
    paid: dict[tuple[str, str, str], list[Payment]] = {}
    for each in RestitutionPayment.objects.filter(party=party, day=day):
        payment = Payment(each, documents.get(each.pk, []))
        paid.setdefault((each.game, each.table, each.player), []).append(payment)
    with (
        without_access_scope()
    ):  # replays belong to the commission, but it released what they say about these causes
        found = restitution(operator=party, day=day, causes=released) if released else ()
        owed = [each for each in found if each.owed]
    rows = [ToPay(each, paid.get((each.game, each.table, each.player), [])) for each in owed]
    return sorted(rows, key=lambda row: (-row.left, row.owed.table, row.owed.player))


def owing_days() -> QuerySet[GamblingDay]:
    """Return days in the access scope on which players were underpaid, by released findings."""
    nights = _underpaid().filter(day=OuterRef("day"), issue__party=OuterRef("party"))
    return GamblingDay.objects.filter(Exists(nights)).select_related("party")


@dataclass(frozen=True, kw_only=True)
class DayOwed:
    """A gambling day on which players were underpaid, by released findings."""

    party: Party
    day: date
    owed: int
    """Total by the findings, whether paid since or not."""
    left: int
    due: date
    """The last day to pay it and to confirm the payment."""


def days_with_restitution(party: Party | None = None) -> list[DayOwed]:
    """Return days with restitution in the access scope, or of one party; newest first."""
    nights = _underpaid()
    paid = RestitutionPayment.objects.all()
    if party is not None:
        nights, paid = nights.filter(issue__party=party), paid.filter(party=party)
    by_day = nights.order_by("-day", "issue__party__name").values("day", "issue__party")
    owed = list(by_day.annotate(cents=sum_of_cents("under"), since=Min("issue__released")))
    parties = {
        each.pk: each for each in Party.objects.filter(pk__in={row["issue__party"] for row in owed})
    }
    sums = paid.order_by().values("party", "day").annotate(sum=sum_of_cents("cents"))
    known = {(each["party"], each["day"]): each["sum"] for each in sums}
    return [
        DayOwed(
            party=parties[each["issue__party"]],
            day=each["day"],
            owed=each["cents"],
            left=max(0, each["cents"] - known.get((each["issue__party"], each["day"]), 0)),
            due=due_of(each["day"], each["since"]),
        )
        for each in owed
    ]


def due_of(day: date, released: datetime) -> date:
    """Return the last day to pay what is owed for a day, by findings released at an instant."""
    return last_day(max(day, timezone.localdate(released)), DAYS_TO_PAY)


def _underpaid() -> QuerySet[IssueNight]:
    """Return nights with a player's own money, whatever code heads the issue.

    An issue sums up only players' money; `of_players` leaves out older issues that did not.
    """
    return _nights().filter(of_players("issue__")).exclude(under=0)


def _nights() -> QuerySet[IssueNight]:
    released = IssueNight.objects.filter(issue__released__isnull=False, findings__gt=0)
    return released.select_related("issue")
