"""What an operator's approvals say beside the rules, as far as it touches a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cents import in_dollars
from games.setup import LETTERS
from games.story.story import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.round_log.round import Round
    from games.setup import Setup


def approved_terms(round_: Round, setup: Setup) -> Iterator[Sentence]:
    """Readings chosen, lines replaced, maximum payouts, what Chinese Poker's controls name."""
    for id_, reading in sorted(setup.interpretations.items()):
        if LETTERS.get(id_.partition("-")[0]) == round_.game:
            yield Sentence(f"The approved controls read {id_} as `{reading}`.", (id_,))
    yield from _pay_tables(round_, setup)
    yield from _maximum(round_, setup)
    if round_.game == "chinese-poker":
        yield from _chinese(setup)


def _pay_tables(round_: Round, setup: Setup) -> Iterator[Sentence]:
    rules = setup.rules(round_.game)
    for name, lines in setup.pay_tables.get(round_.game, {}).items():
        table = rules.pay_tables[name]
        for line, to in lines.items():
            if to != table.lines[line]:
                says = (
                    f"The approved controls pay {_in_words(name)} {_in_words(line)} {to} to 1; the "
                    f"rules pay {table.lines[line]}."
                )
                yield Sentence(says, (table.clause,))


def _maximum(round_: Round, setup: Setup) -> Iterator[Sentence]:
    if round_.game == "pyramid-poker" and setup.max_per_hand is not None:
        says = f"The maximum aggregate payout of a hand is {in_dollars(setup.max_per_hand)}."
        yield Sentence(says, ("PP-19", "PP-I8"))
    for wager, most in setup.max_per_deal.get(round_.game, {}).items():
        of = _in_words(wager)
        yield Sentence(f"The maximum aggregate payout of {of} in a deal is {in_dollars(most)}.")


def _chinese(setup: Setup) -> Iterator[Sentence]:
    chinese = setup.chinese
    if chinese.scoring is not None:
        named = ", ".join(sorted(chinese.scoring)) or "none"
        yield Sentence(f"The approved controls name these scorings: {named}.", ("CP-14",))
    for what, units, clause in (
        ("bonuses", chinese.bonuses, "CP-10"),
        ("naturals", chinese.naturals, "CP-11"),
    ):
        if units:
            named = ", ".join(f"{_in_words(name)} {value}" for name, value in units.items())
            yield Sentence(f"The approved controls pay {what}, in units: {named}.", (clause,))
    if chinese.surrender is not None:
        says = f"A surrender pays {chinese.surrender} units to each live player."
        yield Sentence(says, ("CP-12", "CP-I16"))


def _in_words(name: str) -> str:
    return name.replace("_", " ")
