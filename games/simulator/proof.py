"""Which clauses of a definition its checks prove: each by a round that breaks it.

Every worked example and some rounds dealt at random are broken in one way after another. Where the
audit then reports a finding that the round did not have before, the clauses that it cites are
proven to be checked by its code.
"""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from itertools import islice, pairwise
from random import Random
from typing import TYPE_CHECKING, Any, Final

from games.cents import in_dollars
from games.families.examples import LINE
from games.families.family import family_of
from games.families.filed import FiledGame, readers_of, with_definition
from games.families.samples import can_deal, sample_rounds
from games.log.form import Rejection, read_line
from games.settlement.verdict import Run, settle_round
from games.setup import Setup
from games.simulator.night import deal_night
from games.simulator.plan import FaultPlan, Plan
from games.terms import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from games.definition import Definition
    from games.findings import Finding

SAMPLES: Final = 40
SIMULATED: Final = 600
OPENING: Final = datetime(2025, 7, 12, 17, tzinfo=UTC)
VOID_REASONS: Final = frozenset({"misdeal"})
MOST_TRIED: Final = 4_000
"""Broken rounds that are audited at most, so that a large definition takes a few seconds."""
STEP: Final = 100
DRAWS: Final = 3
DEALT: Final = "dealt"
"""The id of rounds dealt at random: they have every field that a family may have."""
Line = dict[str, Any]
CARD_KEYS: Final = ("cards", "low", "high", "three", "front", "middle", "back")


@dataclass(frozen=True, slots=True)
class Proof:
    """A round that breaks a clause: what was broken, and the code that reports it."""

    code: str
    broken: str


Proofs = dict[str, dict[str, Proof]]
"""By clause, then by code: the first broken round that proves it."""


def prove_clauses(definition: Definition) -> Proofs:
    """Return which clauses a definition's checks prove, each by a broken round."""
    proven: Proofs = {}
    _prove_by_rounds(definition, proven)
    if definition.named:
        _prove_by_simulation(definition, proven)
    return proven


def _prove_by_rounds(definition: Definition, proven: Proofs) -> None:
    """Break worked examples and random rounds."""
    readers = readers_of([definition])
    tried = 0
    for line, setup in _rounds(definition):
        before = _findings(line, setup, readers)
        if before is None:
            continue
        for broken, what in _broken(line, definition):
            tried += 1
            if tried > MOST_TRIED:
                return
            found = _findings(broken, setup, readers) or ()
            _note(proven, (each for each in found if each not in before), what)


def _prove_by_simulation(definition: Definition, proven: Proofs) -> None:
    """Play a night of a game that is settled by its name, with every fault that it has."""
    setup = with_definition(Setup(void_reasons=VOID_REASONS), definition)
    faults = (FaultPlan(rate=Fraction(1, 2)),)
    plan = Plan(
        game=definition.slug, tables=("P1", "P2"), opening=OPENING, setup=setup, faults=faults
    )
    run = Run(setup)
    for dealt in islice(deal_night(plan), SIMULATED):
        read = read_line(dealt.line)
        if not isinstance(read, Rejection):
            verdict = run.verdict(read)
            planted = {each.code: each.what for each in dealt.planted}
            for finding in verdict.findings:
                if finding.code in planted:
                    _note(proven, (finding,), planted[finding.code])
    run.close()


def _note(proven: Proofs, findings: Iterable[Finding], what: str) -> None:
    for finding in findings:
        for clause in finding.cites:
            codes = proven.setdefault(clause, {})
            codes.setdefault(finding.code, Proof(finding.code, what))


def _rounds(definition: Definition) -> Iterator[tuple[Line, Setup]]:
    """Yield rounds that settle right, with the terms that they are settled under."""
    slug = definition.slug
    for example in definition.examples:
        chosen = Setup(
            interpretations=example.interpretations, named_tables={slug: example.pay_tables}
        )
        line = {**LINE, "game": slug, **_plain(example.round)}
        yield line, with_definition(chosen, definition)
    if can_deal(definition):
        setup = with_definition(Setup(), definition)
        for sample in sample_rounds(definition, "proof", SAMPLES):
            yield {**LINE, "round": DEALT, "game": slug, **sample.line}, setup


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _findings(line: Line, setup: Setup, readers: Any) -> tuple[Finding, ...] | None:
    """Return what the audit finds in a line; None if the log's form rejects it."""
    read = read_line(json.dumps(line).encode(), readers)
    return None if isinstance(read, Rejection) else settle_round(read, setup, NOTHING).findings


def _broken(line: Line, definition: Definition) -> Iterator[tuple[Line, str]]:
    yield from _wrong_results(line)
    yield from _wrong_wagers(line)
    yield from _wrong_cards(line)
    yield from _wrong_round(line, definition)
    yield from _wrong_play(line, definition)


def _wrong_play(line: Line, definition: Definition) -> Iterator[tuple[Line, str]]:
    """Break what only the family knows: drawing rules, betting."""
    if line["round"] != DEALT:
        return
    family = family_of(definition)
    game, setup = FiledGame(definition), Setup()
    if family.break_draw is not None:
        for seed in range(DRAWS):
            broken = deepcopy(line)
            what = game.break_draw(broken, game.under(setup), Random(seed))
            yield broken, what
    for name in family.faults:
        broken = deepcopy(line)
        if game.plant(name, broken):
            yield broken, name.replace("_", " ")


def _wrong_results(line: Line) -> Iterator[tuple[Line, str]]:
    """Pay each result another amount."""
    for place, seat in enumerate(line.get("seats", ())):
        for key, amount in (seat.get("result") or {}).items():
            for step in (STEP, -STEP):
                broken = deepcopy(line)
                broken["seats"][place]["result"][key] = amount + step
                yield (
                    broken,
                    (
                        f"{key.replace('_', ' ')} was paid {in_dollars(amount + step)} instead of "
                        f"{in_dollars(amount)}"
                    ),
                )
    if isinstance(line.get("house"), dict) and "result" in line["house"]:
        broken = deepcopy(line)
        broken["house"]["result"] += STEP
        yield broken, "the house’s result was wrong"


def _wrong_wagers(line: Line) -> Iterator[tuple[Line, str]]:
    """Leave out each wager, or double it."""
    for place, seat in enumerate(line.get("seats", ())):
        for key, amount in (seat.get("wagers") or {}).items():
            for wrong in {0, 2 * amount, amount + STEP} - {amount}:
                broken = deepcopy(line)
                broken["seats"][place]["wagers"][key] = wrong
                yield broken, f"{key.replace('_', ' ')} was {in_dollars(wrong)}"


def _wrong_cards(line: Line) -> Iterator[tuple[Line, str]]:
    """Deal a card twice, one too few or too many, or exchange cards between parts of a hand."""
    holders = [("house",), *(("seats", place) for place in range(len(line.get("seats", ()))))]
    used = Counter(_cards_of(line))
    fresh = next(iter(card for card in _deck() if card not in used), None)
    for path in holders:
        hand = _at(line, path)
        for key in [key for key in CARD_KEYS if isinstance(hand.get(key), str) and hand[key]]:
            cards = hand[key].split()
            other = next((card for card in used if card not in cards), None)
            if other is not None:
                yield _with(line, path, key, [other, *cards[1:]]), f"{other} was dealt twice"
            yield _with(line, path, key, cards[:-1]), "a hand had a card too few"
            if fresh is not None:
                yield _with(line, path, key, [*cards, fresh]), "a hand had a card too many"
                yield _with(line, path, key, [fresh, *cards[1:]]), f"{fresh} lay in a hand instead"
        yield from _exchanged(line, path, hand)


def _exchanged(line: Line, path: tuple[Any, ...], hand: Line) -> Iterator[tuple[Line, str]]:
    """Exchange the first cards of each two parts of a set hand."""
    keys = [key for key in CARD_KEYS[1:] if isinstance(hand.get(key), str) and hand[key]]
    for one, other in pairwise(keys):
        first, second = hand[one].split(), hand[other].split()
        broken = _with(line, path, one, [second[-1], *first[1:]])
        _at(broken, path)[other] = " ".join([*second[:-1], first[0]])
        yield broken, f"cards of {one} and {other} were exchanged"
    sets = hand.get("set")
    if isinstance(sets, dict | list):
        yield from _exchanged_sets(line, path, sets)


def _exchanged_sets(line: Line, path: tuple[Any, ...], sets: Any) -> Iterator[tuple[Line, str]]:
    names = list(sets) if isinstance(sets, dict) else list(range(len(sets)))
    for one, other in pairwise(names):
        if not (isinstance(sets[one], str) and isinstance(sets[other], str)):
            continue
        first, second = sets[one].split(), sets[other].split()
        broken = deepcopy(line)
        parts = _at(broken, path)["set"]
        parts[one] = " ".join([second[-1], *first[1:]])
        parts[other] = " ".join([*second[:-1], first[0]])
        yield broken, "cards of two parts were exchanged"


def _wrong_round(line: Line, definition: Definition) -> Iterator[tuple[Line, str]]:
    """Break the round as a whole: decks, players, and void rounds."""
    for decks in {1, definition.decks.number + 1}:
        yield {**deepcopy(line), "decks": decks}, f"{decks} decks were in use"
    nothing = deepcopy(line)
    for seat in nothing.get("seats", ()):
        seat["result"] = dict.fromkeys(seat.get("result") or {}, 0)
    yield {**nothing, "void": "another reason"}, "the round was void for another reason"
    for each in definition.void_reasons:
        yield {**deepcopy(line), "irregularities": [each.reason]}, f"{each.reason}, and not void"
        yield {**deepcopy(line), "void": each.reason}, f"void ({each.reason}), but wagers were paid"
    seats = line.get("seats", ())
    if seats and definition.players is not None:
        more = [{**deepcopy(seats[0]), "seat": number} for number in range(1, 24)]
        yield {**line, "seats": more[: definition.players + 1]}, "there were too many hands"


def _at(line: Line, path: tuple[Any, ...]) -> Line:
    found: Any = line
    for step in path:
        found = found[step] if isinstance(found, list) else found.get(step, {})
    return found if isinstance(found, dict) else {}


def _with(line: Line, path: tuple[Any, ...], key: str, cards: list[str]) -> Line:
    broken = deepcopy(line)
    _at(broken, path)[key] = " ".join(cards)
    return broken


def _cards_of(line: Line) -> Iterator[str]:
    for hand in (line.get("house") or {}, *line.get("seats", ())):
        for key in CARD_KEYS:
            if isinstance(hand.get(key), str):
                yield from hand[key].split()


def _deck() -> Iterator[str]:
    return (rank + suit for rank in "23456789TJQKA" for suit in "shdc")
