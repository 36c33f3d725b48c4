"""Rounds of filed games: cards where every seat is dealt as many, results and decisions.

Only the cards of seats are counted: whether the dealer's or common cards come may depend on folds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from audits.watch.statistics import (
    DEALER,
    PLAYER,
    PLAYERS,
    SHIFT,
    TABLE,
    Cards,
    Subject,
    Wager,
    name_seat,
)
from audits.watch.wagers import Names, Placed, WagerGathering
from compliance.filings.games.definitions import definition_of
from compliance.filings.requests.reads import approved_rule_versions
from games.cards import dealt
from games.families.family import family_of
from games.families.stud.bounds import LEVELS
from games.rule_set import SLUGS, as_rule_set, rule_set
from games.statistics.cards import CARDS, Dealt, Shoe
from games.statistics.chances import chances
from games.statistics.decisions import Decision, rank_dealers
from games.statistics.filed import Watched, count_game, filed_chances, games_to_count, watched_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from audits.watch.statistics import Statistics
    from games.cards import Cards as Hand
    from games.definition import Definition
    from games.log.round import FiledRound
    from games.rule_set import Decks
    from games.statistics.chances import Chance


@dataclass(frozen=True)
class FiledGame:
    """A filed game as it is watched."""

    definitions: tuple[Definition, ...]
    decks: Decks
    watched: Watched


def filed_game(game: str) -> FiledGame | None:
    """Return a filed game as it is watched; None if it isn't.

    It isn't if versions of its definition differ in decks or in what their results are read from,
    or if a seat's cards depend on its decisions.
    """
    if game in SLUGS:
        return None
    versions = [each for each in approved_rule_versions() if each.game.slug == game]
    definitions = {found.digest: found for each in versions
                   if (found := definition_of(each)) is not None}  # fmt: skip
    usable = tuple(each for each in definitions.values() if family_of(each).deals_alike)
    kinds = {(as_rule_set(each).decks, watched_of(each)) for each in usable}
    if len(kinds) != 1 or any(definition_of(each) is None for each in versions):
        return None
    decks, watched = kinds.pop()
    return FiledGame(usable, decks, watched)


def known_chances(game: str, decks: int) -> Mapping[str, Chance]:
    """Return the chances of a game's wagers, dealt from so many decks."""
    if game in SLUGS:
        return chances(game, decks) if rule_set(game).decks.allows(decks) else {}
    filed = filed_game(game)
    if filed is None or decks != filed.decks.number:
        return {}
    return filed_chances(filed.definitions)


def count_chances(game: str) -> Iterable[None]:
    """Count the chances of a filed game, and pause after each step."""
    filed = filed_game(game)
    for definition in () if filed is None else filed.definitions:
        for wager, terms in games_to_count(definition):
            count_game(definition, wager, terms)
            yield


class _Seat(NamedTuple):
    number: int
    player: str | None
    cards: Hand
    line: Mapping[str, Any]


class FiledGathering:
    """The statistics of one segment of a filed game, in progress."""

    def __init__(self, found: Statistics, game: FiledGame) -> None:
        self._found = found
        self._decks, self._watched = game.decks, game.watched
        self._placed: defaultdict[str, list[tuple[int, ...]]] = defaultdict(list)
        self._tables: dict[str, int] = {}
        self._players: dict[str, int] = {}
        self._dealers: dict[str, int] = {}
        self._decided: list[tuple[Subject, int, int]] = []
        """Whose decision it is, whether it is a fold, and the row of the dealer's hand."""
        self._hidden: list[tuple[Hand, np.ndarray]] = []
        self._dealt_by: list[list[Subject]] = []
        """By row of the dealer's hand: the table and the dealer."""

    def add(self, played: FiledRound) -> None:
        """Add a round; a void one does not count."""
        if not played.played:
            return
        self._found.rounds += 1
        seats = [
            _Seat(each["seat"], each.get("player"), dealt(each["cards"]), each)
            for each in played.line["seats"]
            if each.get("cards")
        ]
        self._count_cards(played, seats)
        if "banker" not in played.line:
            self._note_wagers(played, seats)
        self._note_decisions(played, seats)

    def finish(self) -> None:
        """Add the results and decisions of players and seats."""
        gathering = WagerGathering()
        for wager, rows in self._placed.items():
            gathering.add(wager, Placed(*np.array(rows, np.int64).T))
        names = Names(list(self._tables), list(self._players), list(self._dealers))
        gathering.finish(self._found, names)
        if self._hidden:
            house = np.array([list(cards) for cards, _ in self._hidden], np.uint8)
            left = np.array([rest for _, rest in self._hidden])
            ranks = rank_dealers(house, left, np.random.default_rng(len(house)))
            for of, rank in zip(self._dealt_by, ranks.tolist(), strict=True):
                for subject in of if rank >= 0 else ():
                    self._found.hands[subject].rounds[rank] += 1
            for subject, sign, row in self._decided:
                if ranks[row] >= 0:
                    self._found.decisions[subject].made[Decision(sign, int(ranks[row]))] += 1

    def _count_cards(self, played: FiledRound, seats: list[_Seat]) -> None:
        number = played.decks or self._decks.number
        size = number * CARDS + self._decks.jokers
        own: defaultdict[Subject, np.ndarray] = defaultdict(lambda: np.zeros(CARDS, np.int64))
        drawn: Counter[Subject] = Counter()
        hands: Counter[Subject] = Counter()
        everyone = [
            Subject(scope, name)
            for scope, name in ((TABLE, played.table), (DEALER, played.dealer_id),
                                (SHIFT, played.shift))
            if name
        ]  # fmt: skip
        for seat in seats:
            shown = np.bincount([card for card in seat.cards if card < CARDS], minlength=CARDS)
            for subject in (*everyone, *_subjects(played, seat)):
                own[subject] += shown
                drawn[subject] += len(seat.cards)
                hands[subject] += 1
        for subject, counts in own.items():
            most = self._watched.most * hands[subject]
            least = self._watched.fewest * hands[subject] if most else drawn[subject]
            shoe = Shoe(number, size, least, most)
            self._found.cards[Cards(subject, PLAYERS)].add(Dealt(counts, Counter({shoe: 1})))

    def _note_wagers(self, played: FiledRound, seats: list[_Seat]) -> None:
        net, number = self._watched.net, played.decks or self._decks.number
        everyone = ((TABLE, played.table), (DEALER, played.dealer_id), (SHIFT, played.shift))
        for wager in (*self._watched.hits, *([net.base] if net else [])):
            scale = LEVELS if net and wager == net.base else 1
            row = [0] * (2 * scale + 1)
            for seat in seats:
                amount, result = seat.line["wagers"].get(wager, 0), seat.line["result"]
                if not amount:
                    continue
                outcome = int(result.get(wager, 0) > 0)
                if net and wager == net.base:
                    outcome = net.level(sum(result.get(key, 0) for key in net.keys), amount)
                row[outcome + scale] += 1
                self._placed[wager].append((
                    _number(self._tables, played.table), seat.number,
                    _number(self._players, seat.player), _number(self._dealers, played.dealer_id),
                    played.at, number, amount, outcome,
                ))  # fmt: skip
            for scope, name in everyone:
                if name and any(row):
                    key = Wager(Subject(scope, name), wager, number)
                    self._found.results[key].rounds[tuple(row)] += 1

    def _note_decisions(self, played: FiledRound, seats: list[_Seat]) -> None:
        first, end = self._watched.hidden
        house = dealt((played.line.get("house") or {}).get("cards", ""))
        if first == end or len(house) != end:
            return
        left = np.full(CARDS + 1, played.decks or self._decks.number)
        left[CARDS] = self._decks.jokers
        common = dealt(played.line.get("community", ""))
        for card in (*common, *house[:first], *(card for seat in seats for card in seat.cards)):
            left[min(card, CARDS)] -= 1
        row = len(self._hidden)
        met: set[Subject] = set()
        for seat in seats:
            choices = seat.line.get("choices") or {}
            if not choices:
                continue
            sign = 1 if self._watched.folds & set(choices.items()) else -1
            for subject in _subjects(played, seat):
                if subject not in met:
                    met.add(subject)
                    self._decided.append((subject, sign, row))
        self._hidden.append((house[first:], left))
        dealer = [Subject(DEALER, played.dealer_id)] if played.dealer_id else []
        self._dealt_by.append([Subject(TABLE, played.table), *dealer])


def _subjects(played: FiledRound, seat: _Seat) -> list[Subject]:
    """Return the seat, and the player if known."""
    seats = [name_seat(played.table, seat.number)]
    return [*seats, Subject(PLAYER, seat.player)] if seat.player else seats


def _number(names: dict[str, int], name: str | None) -> int:
    return -1 if name is None else names.setdefault(name, len(names))
