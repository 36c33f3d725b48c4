"""The maximum aggregate payout: what it cuts, and how it is audited (PP-I8, PP-I9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .findings import Finding, Judgment, Round, Seat

if TYPE_CHECKING:
    from .setup import Setup

CUT_FIRST = ("six_card", "three_card", "main")  # PP-I9
CITES = ("PP-19", "PP-I8", "PP-I9")

Cut = set[tuple[int, str]]


def cut_together(
    seats: list[Seat], named: int | None, judged: Judgment, most: int, wagers: tuple[str, ...]
) -> Cut:
    """Cut what some hands win together; return the (seat, wager) pairs that it could cut.

    A finding names the seat `named`, or none.
    """
    winning = []
    for wager in CUT_FIRST:
        for seat in seats:
            expected = judged.expected[seat["seat"]]
            if wager in wagers and expected is not None and expected[wager] > 0:
                winning.append((seat, wager, expected))
    over = sum(expected[wager] for _, wager, expected in winning) - most
    if over <= 0:
        return set()
    for _, wager, expected in winning:
        taken = min(over, expected[wager])
        expected[wager] -= taken
        over -= taken
    logged = sum(seat["result"][wager] for seat, wager, _ in winning)
    if logged != most:
        judged.findings.append(
            Finding("settlement.aggregate", named, None, logged, most, logged - most, CITES)
        )
    return {(seat["seat"], wager) for seat, wager, _ in winning}


def sharing(seats: list[Seat], reading: str) -> list[tuple[list[Seat], int | None]]:
    """Return which seats share a maximum, each with the seat that a finding names (PP-I8)."""
    if reading == "per_table":
        return [(seats, None)]
    shared: list[tuple[list[Seat], int | None]] = []
    for seat in seats:
        for others, _ in shared:
            same = "player" in seat and others[0].get("player") == seat["player"]
            if reading == "per_player" and same:
                others.append(seat)
                break
        else:
            shared.append(([seat], seat["seat"]))
    return shared


def cut_per_deal(round_: Round, judged: Judgment, most: int, wager: str) -> Cut:
    """Cut what one wager wins over all hands of the deal, in proportion."""
    winners = [
        seat
        for seat in round_["seats"]
        if (expected := judged.expected[seat["seat"]]) is not None and expected[wager] > 0
    ]
    full = {seat["seat"]: (judged.expected[seat["seat"]] or {})[wager] for seat in winners}
    total = sum(full.values())
    if total <= most:
        return set()
    shares = {number: won * most // total for number, won in full.items()}
    left = most - sum(shares.values())
    for place, (number, share) in enumerate(shares.items()):
        expected = judged.expected[number]
        assert expected is not None
        expected[wager] = share + (1 if place < left else 0)
    logged = sum(seat["result"][wager] for seat in winners)
    if logged != most:
        judged.findings.append(
            Finding("settlement.aggregate", None, wager, logged, most, logged - most, CITES)
        )
    return {(number, wager) for number in full}


def apply_per_deal(round_: Round, setup: Setup, judged: Judgment) -> Cut:
    cut: Cut = set()
    for wager, most in setup.most_per_deal.get(round_["game"], {}).items():
        cut |= cut_per_deal(round_, judged, most, wager)
    return cut
