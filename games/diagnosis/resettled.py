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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.cards import Cards
    from games.diagnosis.results import Dealt, Result
    from games.log.round import Round, Seat
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
    """Completes "settled by …"."""
    pay_tables: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    interpretations: Mapping[str, str] = field(default_factory=dict)


def resettled(
    slug: str, rules: RuleSet, alternatives: Sequence[Alternative]
) -> Iterator[Hypothesis]:
    """Yield every other way on record in which a game's rounds may have been settled.

    `rules` are those in effect.
    """
    for each in alternatives:
        yield _by_alternative(slug, rules, each)
    for id_, item in rules.interpretations.items():
        if LETTERS.get(id_.partition("-")[0]) == slug and len(item.readings) > 1:
            for name in item.readings:
                yield _settling(
                    "interpretation",
                    f"interpretation {id_}={name}",
                    f"settled by another interpretation of {id_} ({name.replace('_', ' ')})",
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
        f"{line.replace('_', ' ')} {pays} to 1 instead of {right} to 1"
        for name, paid in other.pay_tables.items()
        if name in rules.pay_tables
        for line, pays in paid.items()
        if (right := rules.pay_tables[name].lines.get(line)) not in {None, pays}
    ]
    headline = f"settled by {other.name}" + (f" ({'; '.join(lines)})" if lines else "")
    return _settling(other.kind, f"{other.kind} {other.name}", headline, changed)


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
