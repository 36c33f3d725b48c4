"""deal.duplicate: more copies of a card than the shoe contains."""

from __future__ import annotations

from collections import Counter
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any, Final

from games.cards import JOKER, show, unnamed
from games.checks import deal_shoe
from games.findings import Finding, Severity, cites
from games.kernel import compiled, kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from games.cards import Cards
    from games.checks import Certain
    from games.log.columns import Columns, Level
    from games.log.round import Round
    from games.planting import Fault, Line, Scene
    from games.terms import ColumnTerms, Terms

CODE: Final = "deal.duplicate"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "More copies of a card dealt than the decks in play contain"

NO_CARD: Final = 255
NATURAL: Final = (1 << JOKER) - 1
"""Every card but the jokers, one bit each."""


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield one finding for the lowest card with more copies than the shoe has of it."""
    decks = terms.rules.decks
    number = round_.decks or decks.number
    cards = b"".join(_hands(round_))
    if len(set(cards)) == len(cards) and not (cards and max(cards) >= JOKER):
        return
    dealt = Counter(unnamed(cards))
    for card in sorted(dealt):
        most = decks.jokers if card == JOKER else number
        if dealt[card] > most:
            yield Finding(
                CODE,
                logged=f"{dealt[card]} x {show(bytes([card]))}",
                expected=f"at most {most}",
                cites=cites(deal_shoe.DECK_CLAUSE[round_.game]),
            )
            return


def _hands(round_: Round) -> Iterator[Cards]:
    """Yield every hand on the table as it was dealt, the dealer's first.

    Chinese Poker doesn't log cards apart from the sets, so there the sets are the cards.
    """
    yield round_.house.cards
    for seat in round_.seats:
        yield seat.cards
        if round_.game == "chinese-poker":
            yield from seat.hands


@kernel
def is_joker(card: int) -> bool:
    """Return whether a column has a joker here, named or not."""
    return JOKER <= card < NO_CARD


@kernel
def again(card: int, once: int, twice: int, thrice: int, more: int) -> tuple[int, int, int, int]:
    """Return which cards were dealt once or more, twice or more and so on, with one card more."""
    bit = 1 << (card & 63)
    return once | bit, twice | (once & bit), thrice | (twice & bit), more | (thrice & bit)


@kernel
def keep_copies(
    house: Any, cards: Any, first_seat: Any, decks: int, jokers: int, certain: Any
) -> None:
    """Keep certain only rounds in which no card has more copies than the shoe."""
    for row in range(certain.size):
        if certain[row] == 0:
            continue
        once = twice = thrice = more = dealt = 0
        for card in house[row]:
            once, twice, thrice, more = again(card, once, twice, thrice, more)
            dealt += is_joker(card)
        for seat in range(first_seat[row], first_seat[row + 1]):
            for card in cards[seat]:
                once, twice, thrice, more = again(card, once, twice, thrice, more)
                dealt += is_joker(card)
        excess = twice if decks == 1 else (thrice if decks == 2 else more)
        if decks > 3 or dealt > jokers or excess & NATURAL != 0:
            certain[row] = 0


def screen(columns: Columns, terms: ColumnTerms, certain: Certain) -> None:
    """Keep certain only rounds without such a card; the dealer's cards may be none."""
    if columns.game == "pyramid-poker":
        return  # its own screen counts only the few rounds in which so many cards are repeated
    import numpy as np  # takes long, and a single round doesn't need it

    deal_shoe.screen(columns, terms, certain)  # from here on, every shoe is the game's own
    none = [np.full(len(columns), NO_CARD, np.uint8)]
    house = np.stack(_columns(columns.rounds, "house") or none, axis=1)
    cards = np.stack(_columns(columns.seats, "card"), axis=1)
    decks = terms.rules.decks
    compiled(keep_copies)(house, cards, columns.first_seat, decks.number, decks.jokers, certain)


def _columns(level: Level, name: str) -> list[NDArray[np.uint8]]:
    numbered = (f"{name}_{place}" for place in count(1))
    return [level.cards[each] for each in takewhile(level.cards.__contains__, numbered)]


def plant(scene: Scene) -> Fault | None:
    """Deal one card more often than the shoe has it, or a joker in a game without jokers."""
    ways = [_card_again, _joker]
    scene.chance.shuffle(ways)
    return ways[0](scene) or ways[1](scene)


def _card_again(scene: Scene) -> Fault | None:
    decks = scene.setup.rules(scene.game).decks.number
    dealt = Counter(card for card in scene.cards(scene.dealt) if card != "Jo")
    complete = [card for card, times in dealt.items() if times == decks]
    scene.chance.shuffle(complete)
    for card in complete:
        for place in scene.others:
            line = scene.altered()
            if _swap_card(line["seats"][place], card):
                line = scene.settled(line)
                if scene.near_maximum() or scene.near_maximum(line):
                    return None
                what = f"{card} was dealt {decks + 1} times out of {decks} deck(s)"
                return scene.fault(line, what, (CODE, None, None))
    return None


def _swap_card(seat: Line, card: str) -> bool:
    """Replace a card of a hand with this one, also where it is set."""
    if "natural" in seat:
        return False
    keys = [key for key in ("cards", "front", "middle", "back", "three") if key in seat]
    first = "cards" if "cards" in seat else "front"
    old = next((other for other in seat[first].split() if other not in (card, "Jo")), None)
    if old is None or card in " ".join(seat[key] for key in keys):
        return False
    for key in keys:
        cards = seat[key].split()
        if old in cards:
            cards[cards.index(old)] = card
            seat[key] = " ".join(cards)
    for place, laid in enumerate(seat.get("hands", ())):
        cards = laid.split()
        if old in cards:
            cards[cards.index(old)] = card
            seat["hands"][place] = " ".join(cards)
            break
    return True


def _joker(scene: Scene) -> Fault | None:
    """Deal a joker in a game without jokers; the seat that gets it can't be settled."""
    if scene.near_maximum() or scene.setup.rules(scene.game).decks.jokers:
        return None
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        what = f"seat {seat['seat']} was dealt a joker in a game without"
        if scene.game == "chinese-poker":
            if "front" not in seat or "natural" in seat:
                continue
            front = seat["front"].split()
            seat["front"] = " ".join([f"Jo={front[0]}", *front[1:]])
            return scene.fault(line, what, (CODE, None, None), ("irregular", None, None))
        cards = seat["cards"].split()
        laid = [seat.get("low", ""), *seat.get("three", "").split()]
        spare = [card for card in cards if card not in laid]
        if spare:
            cards[cards.index(spare[0])] = "Jo"
            seat["cards"] = " ".join(cards)
            return scene.fault(line, what, (CODE, None, None))
    return None
