"""Voided rounds: who would have won them, and how strong the dealer's hand was.

A round is voided for a reason that has nothing to do with who wins it. Where the cards are logged,
it is settled as if it counted, so that rounds voided because a player won are seen.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from audits.intake.days.hands import HOUSE_CARDS
from audits.watch.statistics import VOIDED, Measure, Subject, Wager
from games.rule_set import rule_set
from games.settlement.verdict import settle_round
from games.setup import Setup
from games.statistics.cards import CARDS
from games.statistics.chances import LEVELS, WAGERS
from games.statistics.decisions import rank_dealers
from games.statistics.results import PLAIN, Weighted
from games.terms import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from audits.watch.statistics import Statistics
    from games.log.round import Round


@dataclass(slots=True)
class VoidedGathering:
    """The voided rounds of one segment of a built-in game, in progress."""

    game: str
    _house: list[list[int]] = field(default_factory=list)
    _left: list[np.ndarray] = field(default_factory=list)
    _tables: list[str] = field(default_factory=list)

    def add(self, found: Statistics, voided: Round) -> None:
        """Add a voided round, if its cards are logged."""
        rules = rule_set(self.game).decks
        decks = voided.decks or rules.number
        if len(voided.house.cards) == HOUSE_CARDS.get(self.game) and all(
            seat.cards for seat in voided.seats
        ):
            left = np.full(CARDS + 1, decks)
            left[CARDS] = rules.jokers
            for card in (card for seat in voided.seats for card in seat.cards):
                left[min(card, CARDS)] -= 1
            self._house.append(list(voided.house.cards))
            self._left.append(left)
            self._tables.append(voided.table)
        if voided.banker is None and self.game in WAGERS:
            _count_results(found, self.game, voided, decks)

    def finish(self, found: Statistics) -> None:
        """Add how strong the dealer's hands were."""
        if not self._house:
            return
        house = np.array(self._house, np.uint8)
        ranks = rank_dealers(house, np.array(self._left), np.random.default_rng(len(house)))
        for table, rank in zip(self._tables, ranks.tolist(), strict=True):
            if rank >= 0:
                found.hands[Subject(VOIDED, f"at table {table}")].rounds[rank] += 1


def _count_results(found: Statistics, game: str, voided: Round, decks: int) -> None:
    verdict = settle_round(replace(voided, void=None), Setup(), NOTHING)
    results: Mapping[int, Mapping[str, int]] = {
        number: expected for number, expected in verdict.seats if expected is not None
    }
    for wager in WAGERS[game]:
        row = [0, 0, 0]
        players: defaultdict[str, int] = defaultdict(int)
        for seat in voided.seats:
            if not seat.wagers.get(wager) or seat.seat not in results:
                continue
            result = results[seat.seat].get(wager, 0)
            outcome = (result > 0) - (result < 0) if wager == "main" else int(result > 0)
            row[outcome + 1] += 1
            if seat.player:
                players.setdefault(seat.player, outcome)
        if any(row):
            at_table = Subject(VOIDED, f"at table {voided.table}")
            found.results[Wager(at_table, wager, decks)].rounds[tuple(row)] += 1
        for player, outcome in players.items():
            key = Measure(Wager(Subject(VOIDED, f"with player {player}"), wager, decks), PLAIN)
            found.players[key].wagers[Weighted(LEVELS, outcome)] += 1
