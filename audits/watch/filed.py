"""Cards of a filed game's rounds, where its definition deals every seat the same number.

Only the cards of seats are counted: whether the dealer's or common cards come may depend on folds.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from audits.watch.statistics import DEALER, PLAYER, PLAYERS, SHIFT, TABLE, Cards, Subject
from compliance.filings.games.definitions import definition_of
from compliance.filings.requests.reads import approved_rule_versions
from games.cards import dealt
from games.families.family import family_of
from games.rule_set import SLUGS, as_rule_set
from games.statistics.cards import CARDS, Dealt, Shoe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from audits.watch.statistics import Statistics
    from games.log.round import FiledRound
    from games.rule_set import Decks


def decks_of_filed(game: str) -> Decks | None:
    """Return the decks of a filed game; None if its cards aren't counted.

    They aren't if versions of its definition differ in them, or if a seat's cards depend on its
    decisions.
    """
    if game in SLUGS:
        return None
    versions = [each for each in approved_rule_versions() if each.game.slug == game]
    definitions = [found for each in versions if (found := definition_of(each)) is not None]
    decks = {as_rule_set(each).decks for each in definitions if family_of(each).deals_alike}
    return decks.pop() if len(decks) == 1 and len(definitions) == len(versions) else None


def count_filed(found: Statistics, rounds: Iterable[FiledRound], decks: Decks) -> None:
    """Add the seats' cards of rounds that were played, by table, dealer, shift and player."""
    for each in rounds:
        if not each.played:
            continue
        found.rounds += 1
        number = each.decks or decks.number
        size = number * CARDS + decks.jokers
        by_player: Counter[str] = Counter()
        hands = [(seat.get("player"), dealt(seat["cards"])) for seat in each.line["seats"]
                 if seat.get("cards")]  # fmt: skip
        counts = {player: np.zeros(CARDS, np.int64) for player, _ in hands if player}
        total = np.zeros(CARDS, np.int64)
        for player, cards in hands:
            shown = np.bincount([card for card in cards if card < CARDS], minlength=CARDS)
            total += shown
            if player:
                counts[player] += shown
                by_player[player] += len(cards)
        subjects = ((TABLE, each.table), (DEALER, each.dealer_id), (SHIFT, each.shift))
        drawn = sum(len(cards) for _, cards in hands)
        for scope, name in subjects:
            if name and drawn:
                _add(found, Subject(scope, name), total, Shoe(number, size, drawn))
        for player, own in counts.items():
            _add(found, Subject(PLAYER, player), own, Shoe(number, size, by_player[player]))


def _add(found: Statistics, subject: Subject, counts: np.ndarray, shoe: Shoe) -> None:
    found.cards[Cards(subject, PLAYERS)].add(Dealt(counts, Counter({shoe: 1})))
