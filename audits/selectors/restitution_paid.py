"""What players are still to be paid, of what was released; and what the operator says it paid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from django.db.models import Exists, Min, OuterRef, Q
from django.utils import timezone

from audits.marks import Key
from audits.models import GamblingDay, PatternNight, RestitutionPayment
from audits.selectors.restitution import restitution
from audits.selectors.sums import of_players, sum_of_cents
from compliance.business_days import last_day
from compliance.models import Party
from compliance.walls import without_walls

if TYPE_CHECKING:
    from datetime import date, datetime

    from django.db.models import QuerySet

    from audits.selectors.restitution import Owed

DAYS_TO_PAY: Final = 30
"""After the release. No rule names the days; these are as many as for an answer to a filing."""


@dataclass
class ToPay:
    """What one player is owed at one table on one day, and the payments on file."""

    owed: Owed
    payments: list[RestitutionPayment] = field(default_factory=list)

    @property
    def paid(self) -> int:
        """Cents that the operator says it paid."""
        return sum(each.cents for each in self.payments)

    @property
    def left(self) -> int:
        """Cents that are still to be paid."""
        return max(0, self.owed.owed - self.paid)


def to_pay(party: Party, day: date) -> list[ToPay]:
    """Who is owed how much by the released findings of a day: what is left to pay first."""
    released = {
        Key(each.game, each.table, each.code, each.wager, each.line)
        for each in (night.pattern for night in _nights().filter(pattern__party=party, day=day))
    }
    paid: dict[tuple[str, str, str], list[RestitutionPayment]] = {}
    for each in RestitutionPayment.objects.filter(party=party, day=day):
        paid.setdefault((each.game, each.table, each.player), []).append(each)
    with without_walls():  # replays are the commission's; of these causes it released what they say
        found = restitution(operator=party, day=day, causes=released) if released else ()
        owed = [each for each in found if each.owed]
    rows = [ToPay(each, paid.get((each.game, each.table, each.player), [])) for each in owed]
    return sorted(rows, key=lambda row: (-row.left, row.owed.table, row.owed.player))


def owing_days() -> QuerySet[GamblingDay]:
    """Days on which released findings paid players too little, of those one may see."""
    nights = _underpaid().filter(day=OuterRef("day"), pattern__party=OuterRef("party"))
    return GamblingDay.objects.filter(Exists(nights)).select_related("party")


@dataclass(frozen=True, kw_only=True)
class DayOwed:
    """A gambling day on which released findings say that players received too little."""

    party: Party
    day: date
    owed: int
    """By the findings, both what was paid since and what was not."""
    left: int
    due: date
    """The last day to pay it and to confirm that."""


def days_with_restitution(party: Party | None = None) -> list[DayOwed]:
    """Days with restitution of those one may see, or of one party among them; newest first."""
    nights = _underpaid()
    paid = RestitutionPayment.objects.all()
    if party is not None:
        nights, paid = nights.filter(pattern__party=party), paid.filter(party=party)
    by_day = nights.order_by("-day", "pattern__party__name").values("day", "pattern__party")
    owed = list(by_day.annotate(cents=sum_of_cents("under"), since=Min("pattern__released")))
    parties = {
        each.pk: each
        for each in Party.objects.filter(pk__in={row["pattern__party"] for row in owed})
    }
    sums = paid.order_by().values("party", "day").annotate(sum=sum_of_cents("cents"))
    known = {(each["party"], each["day"]): each["sum"] for each in sums}
    return [
        DayOwed(
            party=parties[each["pattern__party"]],
            day=each["day"],
            owed=each["cents"],
            left=max(0, each["cents"] - known.get((each["pattern__party"], each["day"]), 0)),
            due=due_of(each["day"], each["since"]),
        )
        for each in owed
    ]


def due_of(day: date, released: datetime) -> date:
    """The last day to pay what came to be owed on a day, by findings released at an instant."""
    return last_day(max(day, timezone.localdate(released)), DAYS_TO_PAY)


def _underpaid() -> QuerySet[PatternNight]:
    """Nights of what is a player's own: neither the sum over the seats nor the house's wager."""
    paid_wrong = Q(pattern__code__startswith="settlement.") | Q(pattern__code="void.result")
    return _nights().filter(paid_wrong, of_players("pattern__")).exclude(under=0)


def _nights() -> QuerySet[PatternNight]:
    released = PatternNight.objects.filter(pattern__released__isnull=False, findings__gt=0)
    return released.select_related("pattern")
