"""Logged results beside what the rules give: the material from which causes are inferred."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from games.diagnosis.lines import line_reached
from games.findings import HOUSE_WAGER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.findings import Finding
    from games.log.round import Round, Seat
    from games.settlement.outcomes import Outcome
    from games.settlement.verdict import Verdict
    from games.setup import Setup


AGGREGATE: Final = "settlement.aggregate"
SETTLEMENT: Final = "settlement."


@dataclass(frozen=True, slots=True, eq=False)
class Dealt:
    """A round as logged, the terms in effect, and the verdict by them."""

    round: Round
    setup: Setup
    verdict: Verdict
    dealer: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """One logged result and the one that is due; the wager is empty for a hand's aggregate."""

    dealt: Dealt
    code: str
    seat: int | None
    wager: str
    line: str
    wagered: int
    expected: int
    logged: int
    player: str = ""

    @property
    def wrong(self) -> bool:
        """Return whether it is not what the rules give."""
        return self.logged != self.expected

    @property
    def delta(self) -> int:
        """Return the cents overpaid, or, if negative, underpaid."""
        return self.logged - self.expected

    @property
    def at(self) -> int:
        """Return when its round ended, in microseconds since 1970."""
        return self.dealt.round.at

    @property
    def table(self) -> str:
        """Return the table of its round."""
        return self.dealt.round.table

    @property
    def dealer(self) -> str:
        """Return who dealt its round, if the log says so."""
        return self.dealt.dealer


def results_of(dealt: Dealt) -> list[Result]:
    """Return a round's wrong results, and the right ones of every wager that was placed."""
    verdict, round_ = dealt.verdict, dealt.round
    if verdict.settled is None or verdict.status == "irregular":
        return []
    seats = {seat.seat: seat for seat in round_.seats}
    outcomes = dict(zip((seat.seat for seat in round_.seats), verdict.settled.seats, strict=False))
    wrong = [
        _wrong(dealt, each, seats, outcomes)
        for each in verdict.findings
        if each.code.startswith(SETTLEMENT) and each.code != "settlement.balance"
    ]
    if any(each.code == AGGREGATE for each in wrong):  # its wagers are judged by their sum
        return wrong
    known = {(each.seat, each.wager) for each in wrong}
    return [*wrong, *_right(dealt, seats, outcomes, known)]


def _wrong(
    dealt: Dealt,
    finding: Finding,
    seats: Mapping[int, Seat],
    outcomes: Mapping[int, Outcome | None],
) -> Result:
    wager = finding.wager or ""
    seat = None if finding.seat is None else seats.get(finding.seat)
    line = None
    if seat is not None:
        line = line_reached(dealt.round.game, outcomes.get(seat.seat), wager)
    elif wager == HOUSE_WAGER and dealt.verdict.settled is not None:
        line = line_reached(dealt.round.game, dealt.verdict.settled.house, "main")
    return Result(
        dealt=dealt,
        code=finding.code,
        seat=finding.seat,
        wager=wager,
        line=line or "",
        wagered=_wagered(dealt.round, seat, wager),
        expected=int(finding.expected or 0),
        logged=int(finding.logged or 0),
        player=(seat.player or "") if seat is not None else "",
    )


def _right(
    dealt: Dealt,
    seats: Mapping[int, Seat],
    outcomes: Mapping[int, Outcome | None],
    known: set[tuple[int | None, str]],
) -> Iterator[Result]:
    for number, amounts in dealt.verdict.seats:
        seat = seats[number]
        for key, expected in (amounts or {}).items():
            wagered = _wagered(dealt.round, seat, key)
            if wagered and (number, key) not in known and seat.result[key] == expected:
                yield Result(
                    dealt=dealt,
                    code=f"{SETTLEMENT}{key}",
                    seat=number,
                    wager=key,
                    line=line_reached(dealt.round.game, outcomes.get(number), key) or "",
                    wagered=wagered,
                    expected=expected,
                    logged=expected,
                    player=seat.player or "",
                )


def _wagered(round_: Round, seat: Seat | None, wager: str) -> int:
    """Return the stake; where players play each other, the unit or chip."""
    if wager == HOUSE_WAGER:
        return round_.house.wager
    if seat is not None and wager in seat.wagers:
        return seat.wagers[wager]
    if seat is not None and wager == "points":
        return seat.wagers.get("ante", 0)
    return round_.unit or round_.chip
