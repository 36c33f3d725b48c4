"""Causes found by settling again: a layout, an interpretation, older rules, a missing limit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from games.cards import rank
from games.checks import describe_code
from games.diagnosis.hypotheses import ON_RECORD, Hypothesis
from games.diagnosis.results import AGGREGATE
from games.findings import HOUSE_WAGER
from games.pick_2_poker.settle import settle_play
from games.pyramid_poker.settle import settle_main
from games.ranking.three_card import three_card
from games.settlement.outcomes import capped, game
from games.setup import LETTERS
from games.terms import NOTHING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.cards import Cards
    from games.diagnosis.results import Dealt, Result
    from games.log.round import Round, Seat
    from games.rounding import Odds
    from games.rule_set import RuleSet
    from games.setup import Setup

    Changed = Callable[[Setup], Setup]
    Amounts = Mapping[tuple[int | None, str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Terms on file that were not in effect, but that a table may have used."""

    kind: str
    """`layout` or `version`."""
    name: str
    """Completes "settled by …", and identifies it."""
    pay_tables: Mapping[str, Mapping[str, Odds]] = field(default_factory=dict)
    interpretations: Mapping[str, str] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """Return where its odds come from, in a word or two."""
        return self.kind if self.kind == "layout" else self.name.removeprefix("the approved ")


MOST_LINES: Final = 2
ANOTHER_INTERPRETATION: Final = "settled by an interpretation of the rules that is not approved"
INTERPRETATION_WORDS: Final = {
    ("PP-I1", "push"): "equal hands pushed, where the dealer wins by the approved rules",
    ("PP-I1", "dealer_wins"): "equal hands lost to the dealer instead of pushed",
    (
        "PP-I11",
        "yes",
    ): "house’s three of a kind won at once against the banker, which is not approved",
    ("PP-I11", "no"): "house’s three of a kind compared as set instead of winning at once",
    ("CP-I1", "foul"): "equal hands of one player fouled, which is not approved",
    ("CP-I1", "equal_allowed"): "equal hands of one player allowed instead of fouled",
    ("CP-I6", "any_hand"): "bonuses paid on hands that lost, which is not approved",
    ("CP-I6", "winning_hand_only"): "bonuses paid on winning hands only",
    ("P2-I1", "ante_wins"): "dealer not qualified: only the ante won, which is not approved",
    ("P2-I1", "both_win"): "dealer not qualified: ante and play both won, which is not approved",
    (
        "P2-I1",
        "both_push",
    ): "dealer not qualified: ante and play both pushed, which is not approved",
    (
        "P2-I4",
        "best_three",
    ): "bonus paid on the best three cards instead of the three that were set",
    ("P2-I4", "set_three"): "bonus paid on the three cards that were set instead of the best three",
    ("P2-I5", "bonus_lost"): "bonuses collected on folds, which is not approved",
    ("P2-I5", "bonus_stands"): "bonuses returned on folds instead of collected",
    ("P2-I9", "suited"): "ace-king-queen paid only if suited",
    ("P2-I9", "any_suits"): "ace-king-queen paid in any suits instead of suited only",
    ("SD-I1", "chart"): "hands 4 and 5 scored by the chart, which is not approved",
    ("SD-I1", "multiples"): "hands 4 and 5 scored by multiples of hand 6 instead of by the chart",
    ("CV-I1", "ace_two"): "winning ace scored two points instead of one",
    ("CV-I1", "ace_one"): "winning ace scored one point instead of two",
    ("CV-I2", "no_suits"): "equal hands not scored, where suits decide by the approved rules",
    ("CV-I2", "suits"): "equal hands decided by suits, which is not approved",
    ("CV-I3", "one_point"): "five of a kind in hand 3 scored one point, which is not approved",
    ("CV-I3", "as_four"): "five of a kind in hand 3 scored four points, which is not approved",
    ("CV-I3", "as_six"): "five of a kind in hand 3 scored six points, which is not approved",
}
"""What a table did that followed another interpretation than the approved one."""


def resettled(
    slug: str, rules: RuleSet, alternatives: Sequence[Alternative]
) -> Iterator[Hypothesis]:
    """Yield every other way on record in which a game's rounds may have been settled.

    `rules` are those in effect.
    """
    for each in alternatives:
        yield _by_alternative(slug, rules, each)
    for id_, item in rules.interpretations.items():
        is_own = slug not in LETTERS.values() or LETTERS.get(id_.partition("-")[0]) == slug
        if is_own and len(item.readings) > 1:
            for name in item.readings:
                yield _settling(
                    "interpretation",
                    f"interpretation {id_}={name}",
                    INTERPRETATION_WORDS.get((id_, name), ANOTHER_INTERPRETATION),
                    _interpreting({id_: name}),
                )
    yield _settling(
        "limit",
        "limit aggregate",
        f"{_lower(describe_code(AGGREGATE))}: paid in full",
        lambda setup: replace(setup, max_aggregate=None, max_per_deal={}),
        is_marked=True,
    )
    yield Hypothesis(
        "dealer_as_set",
        "dealer as set",
        0,
        "settled against the dealer's hand as it was set, not as the rules set it",
        _against_dealer_as_set,
        is_marked=True,
    )
    if slug == "chinese-poker":
        yield from _scorings(rules)


def _by_alternative(slug: str, rules: RuleSet, other: Alternative) -> Hypothesis:
    def changed(setup: Setup) -> Setup:
        now = setup.pay_tables.get(slug, {})
        tables = {
            name: {**now.get(name, {}), **other.pay_tables.get(name, {})}
            for name in {*now, *other.pay_tables}
        }
        setup = replace(setup, pay_tables={**setup.pay_tables, slug: tables})
        return _interpreting(other.interpretations)(setup)

    lines = [
        f"{line.replace('_', ' ')} paid {_to(pays)} ({other.source}) instead of {_to(right)}"
        for name, paid in other.pay_tables.items()
        if name in rules.pay_tables
        for line, pays in paid.items()
        if (right := rules.pay_tables[name].lines.get(line, pays)) != pays
    ]
    more = f"; {len(lines) - MOST_LINES} more lines differ" if len(lines) > MOST_LINES else ""
    paid = f"{'; '.join(lines[:MOST_LINES])} (approved){more}"
    headline = paid if lines else f"settled by {other.name}"
    return _settling(other.kind, f"{other.kind} {other.name}", headline, changed)


def _to(odds: Odds) -> str:
    return f"{odds.numerator} to {odds.denominator}"


def _interpreting(chosen: Mapping[str, str]) -> Changed:
    return lambda setup: replace(setup, interpretations={**setup.interpretations, **chosen})


def _scorings(rules: RuleSet) -> Iterator[Hypothesis]:
    """Yield Chinese Poker's other scorings, and bonuses or naturals that were not counted."""
    for scoring in rules.scorings:
        yield _settling(
            "scoring",
            f"scoring {scoring}",
            f"scored by {scoring}, not by the scoring in the log",
            lambda setup: setup,
            again=_scored(scoring),
        )
    for name in ("bonuses", "naturals"):
        yield _settling(
            "scoring",
            f"scoring without {name}",
            f"{name} not counted",
            lambda setup, name=name: replace(  # type: ignore[misc]
                setup, chinese=replace(setup.chinese, **{name: {}})
            ),
        )


def _scored(scoring: str) -> Callable[[Round], Round]:
    return lambda round_: replace(round_, scoring=scoring)


def _settling(
    kind: str,
    key: str,
    headline: str,
    changed: Changed,
    *,
    again: Callable[[Round], Round] = lambda round_: round_,
    is_marked: bool = False,
) -> Hypothesis:
    """Return the hypothesis that rounds were settled under other terms."""
    setups: dict[int, tuple[Setup, Setup]] = {}
    settled: dict[int, tuple[Dealt, Amounts | None]] = {}

    def predict(result: Result) -> int | None:
        dealt = result.dealt
        if id(dealt) not in settled:
            if id(dealt.setup) not in setups:
                setups[id(dealt.setup)] = dealt.setup, changed(dealt.setup)
            setup = setups[id(dealt.setup)][1]
            settled[id(dealt)] = dealt, settle_under(again(dealt.round), setup)
        amounts = settled[id(dealt)][1]
        if amounts is None:
            return None
        if result.code == AGGREGATE:
            return result.logged if _is_as_logged(result, amounts) else None
        return amounts.get((result.seat, result.wager))

    rank_ = 0 if is_marked else ON_RECORD
    return Hypothesis(kind, key, rank_, headline, predict, is_marked=is_marked)


def settle_under(round_: Round, setup: Setup) -> Amounts | None:
    """Return what each seat wins on each wager under some terms; None if nobody can say."""
    if round_.game in setup.filed:
        seats = setup.filed[round_.game].settle(round_, setup, NOTHING).seats
        return {
            (seat, key): amount for seat, due in seats for key, amount in (due or {}).items()
        } or None
    settled = game(round_.game).settle(round_, setup)
    if settled.irregular is not None:
        return None
    after = capped(round_, settled.seats, setup)
    amounts: dict[tuple[int | None, str], int] = {
        (seat.seat, key): amount
        for seat, outcome in zip(round_.seats, after.outcomes, strict=True)
        if outcome is not None
        for key, amount in outcome.amounts.items()
    }
    if settled.house is not None:
        amounts[None, HOUSE_WAGER] = settled.house.amounts["main"]
    return amounts


def _is_as_logged(result: Result, amounts: Amounts) -> bool:
    """Return whether every result that a maximum may have cut is the predicted one."""
    seats = [
        seat for seat in result.dealt.round.seats if result.seat is None or seat.seat == result.seat
    ]
    return all(
        amounts.get((seat.seat, key)) == logged
        for seat in seats
        for key, logged in seat.result.items()
        if not result.wager or key == result.wager
    )


def _against_dealer_as_set(result: Result) -> int | None:
    seat = next((each for each in result.dealt.round.seats if each.seat == result.seat), None)
    settle: Any = _AS_SET.get((result.dealt.round.game, result.wager))
    if seat is None or settle is None:
        return None
    amount: int | None = settle(result.dealt, seat, result.wager)
    return amount


def _pyramid(dealt: Dealt, seat: Seat, _key: str) -> int | None:
    """Settle the main wager against the house's low card as it was set."""
    round_ = dealt.round
    if round_.banker is not None:
        return None
    mine, theirs = _set(seat.cards, seat.low), _set(round_.house.cards, round_.house.low)
    if mine is None or theirs is None:
        return None
    equal = -1 if dealt.setup.reading("PP-I1") == "dealer_wins" else 0
    stake = seat.wagers["main"]
    return settle_main(*mine, *theirs, stake, both_equal=equal, wins_at_once=True)[0]


def _set(cards: Cards, low: Cards) -> tuple[int, int, int] | None:
    if len(cards) != 3 or len(low) != 1 or low[0] not in cards:
        return None
    one, other = cards.replace(low, b"", 1)
    return rank(low[0]), rank(one), rank(other)


def _pick_2(dealt: Dealt, seat: Seat, key: str) -> int | None:
    """Settle a three-card hand against the three cards that the dealer showed."""
    shown = dealt.round.house.three
    if seat.play != "three" or not shown or len(shown) != 3 or len(seat.three) != 3:
        return None
    wagers = seat.wagers["ante"], seat.wagers["play"]
    ante, play, _ = settle_play(three_card(*seat.three), three_card(*shown), *wagers)
    return ante if key == "ante" else play


_AS_SET: Final = {
    ("pyramid-poker", "main"): _pyramid,
    ("pick-2-poker", "ante"): _pick_2,
    ("pick-2-poker", "play"): _pick_2,
}


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
