"""What a told round is made of in words: hands as laid, and the text of all that is cited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compliance.selectors.law import law_rules
from games.cards import show
from games.cents import in_dollars
from games.story.as_ruled import banker_as_ruled, dealer_as_ruled

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date

    from compliance.law.values import LawValue
    from compliance.models import RuleVersion
    from games.cards import Cards
    from games.round_log.round import House, Round, Seat
    from games.setup import Setup

SETS = {"chinese-poker": ("Front", "Middle", "Back")}
"""What the hands of a set are called where they are not numbered."""
GRADES = {"secondary": "by secondary sources", "inferred": "inferred", "unknown": "not read"}


@dataclass(frozen=True)
class Held:
    """Cards that lie together, in the spelling of logs."""

    label: str
    cards: tuple[str, ...]
    as_ruled: tuple[str, ...] = ()
    """The cards that the rules set there, where they set any; else nothing."""
    is_wrong: bool = False
    """Whether other cards lie there than the rules set."""


@dataclass(frozen=True)
class Laid:
    """The dealer's hands, or a seat's, as logged, with what was wagered and won. Cents."""

    title: str
    seat: int | None
    player: str | None
    banks: bool
    play: str
    """What the player chose to do, in the words of the log; empty where there is no choice."""
    hands: tuple[Held, ...]
    wagers: tuple[tuple[str, int], ...]
    results: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class ClauseTold:
    """The text behind an id that a step or a finding cites."""

    id: str
    says: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """An open question of the rules, and how it was read for the round."""

    id: str
    asks: str
    reading: str
    says: str
    chosen_by: str
    """Who chose it, in words."""


def laid_out(round_: Round, setup: Setup | None) -> dict[str, Any]:
    """The table as dealt: `house` and `seats`; with a set-up, what the rules would have set."""
    has_house = round_.house.cards or round_.house.hands or round_.banker is not None
    return {
        "house": _house(round_, setup) if has_house else None,
        "seats": tuple(_seat(round_, each, setup) for each in round_.seats),
    }


def clauses_of(setup: Setup, game: str, ids: Collection[str], on: date) -> tuple[ClauseTold, ...]:
    """The text of every id: clauses of the rules, readings, what the law said on a day."""
    rules = setup.rules(game)
    law = dict(_law(on))
    told = []
    for id_ in sorted(ids, key=_in_order):
        if id_ in rules.clauses:
            clause = rules.clauses[id_]
            sources = tuple(f"{each.document}, {each.place}" for each in clause.sources)
            told.append(ClauseTold(id_, clause.says, sources))
        elif id_ in rules.interpretations:
            item = rules.interpretations[id_]
            name = setup.interpretations.get(id_, item.default)
            told.append(ClauseTold(id_, f"{item.asks} {item.readings[name]}", ("Interpretation",)))
        else:
            told.append(law.get(id_, ClauseTold(id_, "", ())))
    return tuple(told)


def readings_of(
    setup: Setup, game: str, ids: Collection[str], version: RuleVersion | None
) -> tuple[Reading, ...]:
    """The interpretations among the ids, each with the reading that applied and who chose it."""
    of_version = {} if version is None else version.interpretations
    told = []
    for id_, item in setup.rules(game).interpretations.items():
        if id_ not in ids:
            continue
        name = setup.interpretations.get(id_, item.default)
        chosen_by = "Nobody: the reading that stands by itself"
        if id_ in setup.interpretations:
            by_rules = of_version.get(id_) == name
            chosen_by = f"{version} as approved" if by_rules else "The approved controls"
        told.append(Reading(id_, item.asks, name, item.readings[name], chosen_by))
    return tuple(told)


def _house(round_: Round, setup: Setup | None) -> Laid:
    house = round_.house
    ruled = b"" if setup is None or not round_.played else dealer_as_ruled(round_, setup)
    bets = round_.banker is not None
    return Laid(
        title="Dealer",
        seat=None,
        player=None,
        banks=False,
        play="",
        hands=tuple(_hands(round_.game, house, house.three or b"", ruled)),
        wagers=(("house", house.wager),) if bets else (),
        results=(("house", house.result),) if bets else (),
    )


def _seat(round_: Round, seat: Seat, setup: Setup | None) -> Laid:
    ruled = b"" if setup is None or not round_.played else banker_as_ruled(round_, seat, setup)
    return Laid(
        title=f"Seat {seat.seat}",
        seat=seat.seat,
        player=seat.player,
        banks=seat.seat == round_.banker,
        play=", ".join(filter(None, (seat.play, seat.natural))),
        hands=tuple(_hands(round_.game, seat, seat.three, ruled)),
        wagers=tuple(seat.wagers.items()),
        results=tuple(seat.result.items()),
    )


def _hands(game: str, holder: House | Seat, three: Cards, ruled: Cards) -> Iterator[Held]:
    if holder.cards:
        yield _held("Cards", holder.cards)
    if holder.low or (ruled and game == "pyramid-poker"):
        yield _held("Low", holder.low, ruled, is_wrong=bool(ruled) and holder.low != ruled)
    if three or (ruled and game == "pick-2-poker"):
        wrong = bool(three and ruled) and sorted(three) != sorted(ruled)  # none need be shown
        yield _held("Best three" if ruled else "Three in play", three, ruled, is_wrong=wrong)
    names = SETS.get(game, ())
    for number, hand in enumerate(holder.hands):
        yield _held(names[number] if names else f"Hand {number + 1}", hand)


def _held(label: str, cards: Cards, ruled: Cards = b"", *, is_wrong: bool = False) -> Held:
    return Held(label, tuple(show(cards).split()), tuple(show(ruled).split()), is_wrong)


def _law(on: date) -> Iterator[tuple[str, ClauseTold]]:
    """What each rule of the law allowed on a day, by each of its citations."""
    for rule in law_rules().values():
        value = rule.on(on)
        if value is None:
            continue
        for id_ in value.citation.split(", "):
            says = f"{rule.says}: {_value(value)}."
            yield id_, ClauseTold(id_, says, tuple(filter(None, (value.filing,))))


def _value(value: LawValue) -> str:
    if value.value is None:
        return "nobody has read the value of that day"
    amount = str(value.value)
    if value.unit == "cents" and isinstance(value.value, int):
        amount = in_dollars(value.value)
    grade = GRADES.get(value.grade, "")
    since = f"since {value.from_:%B %-d, %Y}"
    return ", ".join(filter(None, (amount, since, grade)))


def _in_order(id_: str) -> tuple[str, int, str]:
    """Clauses, then readings, by their numbers; the law behind them."""
    head, _, number = id_.rpartition("-")
    digits = number.removeprefix("I")
    if not head.isalpha() or not digits.isdecimal():
        return "~", 0, id_
    return head + ("I" if number.startswith("I") else ""), int(digits), id_
