"""Rounds of filed games: cards that are dealt whatever is decided, results and decisions.

Only these cards are counted: whether the dealer's, common or later cards come may depend on folds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from audits.watch.dealt import DealtHands, HandGathering, HandNames
from audits.watch.statistics import (
    ALL,
    DEALER,
    PLAYER,
    PLAYERS,
    SHIFT,
    TABLE,
    VOIDED,
    Cards,
    Subject,
    Wager,
    name_seat,
)
from audits.watch.wagers import Names, Placed, WagerGathering
from compliance.filings.games.definitions import definition_of
from compliance.filings.games.models import DefinitionOdds
from compliance.filings.requests.reads import approved_rule_versions
from games.cards import dealt
from games.families.baccarat.hand import total_of
from games.families.stud.bounds import LEVELS
from games.rule_set import SLUGS, as_rule_set, rule_set
from games.statistics.by_odds import HIGHER_HAND
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
    family: str
    decks: Decks
    without: str
    """Ranks that its decks don't have; then cards are not compared with whole decks."""
    watched: Watched


def filed_game(game: str) -> FiledGame | None:
    """Return a filed game as it is watched; None if it isn't.

    It isn't if versions of its definition differ in family, in decks or in what their results are
    read from, or if players play each other and show no cards.
    """
    if game in SLUGS:
        return None
    versions = [each for each in approved_rule_versions() if each.game.slug == game]
    definitions = {found.digest: found for each in versions
                   if (found := definition_of(each)) is not None}  # fmt: skip
    usable = tuple(each for each in definitions.values() if each.family in OPENINGS)
    kinds = {
        (each.family, as_rule_set(each).decks, each.decks.without, watched_of(each))
        for each in usable
    }
    if len(kinds) != 1 or any(definition_of(each) is None for each in versions):
        return None
    return FiledGame(usable, *kinds.pop())


def known_chances(game: str, decks: int) -> Mapping[str, Chance]:
    """Return the chances of a game's wagers, dealt from so many decks."""
    if game in SLUGS:
        return chances(game, decks) if rule_set(game).decks.allows(decks) else {}
    filed = filed_game(game)
    if filed is None or decks != filed.decks.number:
        return {}
    return filed_chances(filed.definitions, _odds_of)


def _odds_of(definition: Definition) -> list[dict[str, Any]]:
    """Return the odds of a definition by its choices of terms; none if they aren't all counted."""
    row = DefinitionOdds.objects.filter(definition=definition.digest).first()
    done = row is not None and row.state == DefinitionOdds.State.DONE
    figures = row.figures if row is not None and done else []
    return [] if any(each["problem"] for each in figures) else figures


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
    """Those that are dealt whatever is decided."""
    line: Mapping[str, Any]


def _whole(seat: Mapping[str, Any]) -> str:
    return seat.get("cards") or ""


def _first_two(seat: Mapping[str, Any]) -> str:
    """Return the first two cards of a seat of blackjack, one of which a split may have moved."""
    hands = seat.get("hands") or [{}]
    own = (hands[0].get("cards") or "").split()
    split = next((each for each in hands[1:] if each.get("split_from") == 0), None)
    second = own[1:2] if split is None else (split.get("cards") or "").split()[:1]
    return " ".join([*own[:1], *second])


OPENINGS: Final = {"stud": _whole, "set": _whole, "blackjack": _first_two, "baccarat": _whole}
"""By family, the cards of a seat whose number no decision changes; in baccarat a seat has none."""
PLAYER_HAND, BANKER_HAND = "player", "banker"
"""The hands of baccarat; the wagers on them have their names."""
COMMON = 2
"""Cards of each common hand that every round of baccarat deals."""


class FiledGathering:
    """The statistics of one segment of a filed game, in progress."""

    def __init__(self, found: Statistics, game: FiledGame) -> None:
        self._found = found
        self._decks, self._watched, self._family = game.decks, game.watched, game.family
        self._without = game.without
        self._hands = HandGathering(game.decks.jokers, game.without)
        self._shoes: dict[str, int] = {}
        self._rows: dict[int, list[tuple[tuple[int, ...], Hand]]] = defaultdict(list)
        """By cards of a hand: the columns of `DealtHands` without the cards, and the cards."""
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
        """Add a round; of a void one only the dealer's hand counts."""
        opening = OPENINGS[self._family]
        seats = [
            _Seat(each["seat"], each.get("player"), dealt(opening(each)), each)
            for each in played.line["seats"]
        ]
        if not played.played:
            self._note_decisions(played, seats, VOIDED)
            return
        self._found.rounds += 1
        if not self._without:
            self._count_cards(played, [each for each in seats if each.cards])
        self._note_hands(played, seats)
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
        for dealt_rows in self._rows.values():
            line, seat, *others = np.array([row for row, _ in dealt_rows], np.int64).T
            cards = np.array([list(hand) for _, hand in dealt_rows], np.uint8)
            self._hands.add(DealtHands(line, seat, cards, *others))
        self._hands.finish(self._found, HandNames(*names))
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
        counted_by_player = self._family != "blackjack"  # players who count cards join rich shoes
        for seat in seats:
            shown = np.bincount([card for card in seat.cards if card < CARDS], minlength=CARDS)
            whose = _subjects(played, seat) if counted_by_player else []
            for subject in (*everyone, *whose):
                own[subject] += shown
                drawn[subject] += len(seat.cards)
                hands[subject] += 1
        for subject, counts in own.items():
            most = self._watched.most * hands[subject]
            least = self._watched.fewest * hands[subject] if most else drawn[subject]
            shoe = Shoe(number, size, least, most)
            self._found.cards[Cards(subject, PLAYERS)].add(Dealt(counts, Counter({shoe: 1})))
        if common := _common(played):
            counts = np.bincount([card for card in common if card < CARDS], minlength=CARDS)
            shoe = Shoe(number, size, len(common))
            for subject in everyone:
                self._found.cards[Cards(subject, ALL)].add(Dealt(counts, Counter({shoe: 1})))

    def _note_hands(self, played: FiledRound, seats: list[_Seat]) -> None:
        """Note the hands of a round, if every seat is dealt as many cards."""
        sizes = {len(each.cards) for each in seats}
        if len(sizes) != 1 or not (size := sizes.pop()) or self._watched.most:
            return
        shoe = f"{played.table} {played.shoe}" if played.shoe else None
        own = [(each.number, _number(self._players, each.player), each.cards) for each in seats]
        house = dealt((played.line.get("house") or {}).get("cards", ""))
        if len(house) == size and self._family != "blackjack":
            own.append((-1, -1, house))
        for seat, player, cards in own:
            row = (
                self._found.rounds, seat, _number(self._tables, played.table), player,
                _number(self._dealers, played.dealer_id), _number(self._shoes, shoe),
                played.decks or self._decks.number,
            )  # fmt: skip
            self._rows[size].append((row, cards))

    def _note_wagers(self, played: FiledRound, seats: list[_Seat]) -> None:
        net = self._watched.net
        for wager in (*self._watched.hits, *([net.base] if net else [])):
            of_game = net if net and wager == net.base else None
            outcomes = []
            for seat in seats:
                amount, result = seat.line["wagers"].get(wager, 0), seat.line["result"]
                outcome = int(result.get(wager, 0) > 0)
                if of_game and amount:
                    won = sum(result.get(key, 0) for key in of_game.keys)
                    outcome = of_game.level(won, amount)
                outcomes.append((seat, amount, outcome))
            self._note_outcomes(played, wager, outcomes, LEVELS if of_game else 1)
        higher = _higher_hand(played)
        if higher is not None:
            placed = ((seat, _on_one_hand(seat)) for seat in seats)
            sides = [(seat, amount, 1 if hand == higher else -1) for seat, (hand, amount) in placed]
            self._note_outcomes(played, HIGHER_HAND, sides, 1)

    def _note_outcomes(
        self,
        played: FiledRound,
        wager: str,
        outcomes: list[tuple[_Seat, int, int]],
        scale: int,
    ) -> None:
        """Note what a wager came to at each seat that placed it."""
        number = played.decks or self._decks.number
        row = [0] * (2 * scale + 1)
        for seat, amount, outcome in outcomes:
            if amount:
                row[outcome + scale] += 1
                self._placed[wager].append((
                    _number(self._tables, played.table), seat.number,
                    _number(self._players, seat.player), _number(self._dealers, played.dealer_id),
                    played.at, number, amount, outcome,
                ))  # fmt: skip
        for scope, name in (
            (TABLE, played.table), (DEALER, played.dealer_id), (SHIFT, played.shift)
        ):  # fmt: skip
            if name and any(row):
                key = Wager(Subject(scope, name), wager, number)
                self._found.results[key].rounds[tuple(row)] += 1

    def _note_decisions(
        self, played: FiledRound, seats: list[_Seat], void: str | None = None
    ) -> None:
        first, end = self._watched.hidden
        house = dealt((played.line.get("house") or {}).get("cards", ""))
        if first == end or len(house) != end or not all(each.cards for each in seats):
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
            if not choices or void:
                continue
            sign = 1 if self._watched.folds & set(choices.items()) else -1
            for subject in _subjects(played, seat):
                if subject not in met:
                    met.add(subject)
                    self._decided.append((subject, sign, row))
        self._hidden.append((house[first:], left))
        if void:
            self._dealt_by.append([Subject(void, f"at table {played.table}")])
            return
        dealer = [Subject(DEALER, played.dealer_id)] if played.dealer_id else []
        self._dealt_by.append([Subject(TABLE, played.table), *dealer])


def _subjects(played: FiledRound, seat: _Seat) -> list[Subject]:
    """Return the seat, and the player if known."""
    seats = [name_seat(played.table, seat.number)]
    return [*seats, Subject(PLAYER, seat.player)] if seat.player else seats


def _common(played: FiledRound) -> Hand:
    """Return the first cards of the common hands of baccarat, which every round deals."""
    hands = played.common_hands
    firsts = [] if hands is None else [each.split()[:COMMON] for each in hands]
    return dealt(" ".join(card for each in firsts for card in each))


def _higher_hand(played: FiledRound) -> str | None:
    """Return which hand of baccarat has the higher total of its first two cards, if one has."""
    hands = played.common_hands
    if hands is None:
        return None
    player, banker = (dealt(" ".join(each.split()[:COMMON])) for each in hands)
    if not len(player) == len(banker) == COMMON or total_of(player) == total_of(banker):
        return None
    return PLAYER_HAND if total_of(player) > total_of(banker) else BANKER_HAND


def _on_one_hand(seat: _Seat) -> tuple[str, int]:
    """Return the hand of baccarat that a seat wagers on, and how much; 0 if on both."""
    player, banker = (seat.line["wagers"].get(hand, 0) for hand in (PLAYER_HAND, BANKER_HAND))
    if player and banker:
        return "", 0
    return (PLAYER_HAND, player) if player else (BANKER_HAND, banker)


def _number(names: dict[str, int], name: str | None) -> int:
    return -1 if name is None else names.setdefault(name, len(names))
