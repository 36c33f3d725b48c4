"""Builds and checks a definition of the family `versus` in which players bet for pots."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from games.definition.betting_form import (
    CHIPS,
    FEE_BASES,
    ODD_CHIPS,
    OPENINGS,
    SHORT_ALL_INS,
    SINGLE_WAGERS,
    STRUCTURES,
)
from games.definition.betting_model import Betting, Fee, Option, Raises, Street, betting_of
from games.definition.build import BUILT_IN, common_parts
from games.definition.check_wagers import check_examples, check_interpretations
from games.definition.checks import check_cites
from games.definition.model import CardsOf, Deal, Definition, Hand, Ranking, Wager

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.definition.problems import Problems

Values = dict[str, Any]

BET: Final = "bet"
"""The wager that tables' limits name."""
BEST: Final = "best"
FEES: Final = ("rake", "jackpot")

_NOTHING: Final[Values] = {"wager": {}, "result": {}, "test": {}, "pay_table": {}, "rounding": None}


def build_betting(read: Values, problems: Problems) -> Definition:
    """Build the model; its only wager is the bet, and its only result the pot."""
    betting = read["betting"]
    game = {**read["game"], "base": BET}
    parts = common_parts({**_NOTHING, **read, "game": game}, problems)
    streets = tuple(Street(of["id"], of["community"]) for of in read["street"])
    community = tuple(street.community for street in streets)
    deal = Deal(read["deal"]["cards"], 0, 0, community, (), read["deal"]["clause"])
    bet = Wager(
        id=BET,
        says=betting["says"],
        mandatory=False,
        equals=None,
        at_most=None,
        hand=None,
        outcomes=(),
        cites=betting["clause"],
    )
    return Definition(
        **{**parts, "wagers": MappingProxyType({BET: bet})},
        deal=deal,
        hands=MappingProxyType(dict(_hands(read, deal, problems))),
        comparisons=MappingProxyType({}),
        decisions=(),
        strategies=MappingProxyType({}),
        own=_betting(read, streets),
    )


def _hands(read: Values, deal: Deal, problems: Problems) -> Iterator[tuple[str, Hand]]:
    known = {id_: each for id_, each in BUILT_IN.items() if not id_.endswith("_length")}
    for id_, of in read["ranking"].items():
        if id_ in BUILT_IN:
            problems.add(f"ranking.{id_}", "This ranking is built in. Use another name.")
        known[id_] = Ranking(id_, of["cards"], of["order"], of["clause"])
    name = read["hand"]["ranking"]
    if name not in known:
        names = ", ".join(f"`{each}`" for each in known)
        problems.add("hand.ranking", f"There is no ranking `{name}`; there are {names}.")
        return
    own, community = deal.player, sum(deal.community)
    cards = (CardsOf("player", 0, own), CardsOf("community", 0, community))
    yield BEST, Hand(BEST, cards[: 2 if community else 1], known[name])


def _betting(read: Values, streets: tuple[Street, ...]) -> Betting:
    asked = read["interpretation"]
    betting, blinds, raises = read["betting"], read["blinds"], read["raises"]
    hand, pot = read["hand"], read["pot"]
    return Betting(
        streets=streets,
        structure=_option(betting["structure"], asked),
        single=_option(betting["single_wager"], asked),
        cites=betting["clause"],
        has_ante=blinds["ante"],
        blind_cites=blinds["clause"],
        raises=Raises(
            raises["most"],
            _option(raises["opening"], asked),
            _option(raises["short_all_in"], asked),
            raises["clause"],
        ),
        own=hand["own"],
        hand_cites=hand["clause"],
        show_cites=hand["show_clause"],
        pot_cites=pot["clause"],
        chip=_option(pot["chip"], asked),
        odd=_option(pot["odd_chips"], asked),
        odd_cites=pot["odd_clause"],
        rake=_fee(read["fee"].get("rake"), asked),
        jackpot=_fee(read["fee"].get("jackpot"), asked),
    )


def _option(way: str, asked: Mapping[str, Values]) -> Option:
    return Option(way, way in asked)


def _fee(of: Values | None, asked: Mapping[str, Values]) -> Fee | None:
    if of is None:
        return None
    return Fee(of["portion"], of["most"], _option(of["of"], asked), of["clause"])


def options_of(betting: Betting) -> Iterator[tuple[str, Option, tuple[str, ...]]]:
    """Yield everything that may be asked, with its place and the ways there are."""
    yield "betting.structure", betting.structure, STRUCTURES
    yield "betting.single_wager", betting.single, SINGLE_WAGERS
    yield "raises.opening", betting.raises.opening, OPENINGS
    yield "raises.short_all_in", betting.raises.short, SHORT_ALL_INS
    yield "pot.chip", betting.chip, tuple(CHIPS)
    yield "pot.odd_chips", betting.odd, ODD_CHIPS
    for name, fee in (("rake", betting.rake), ("jackpot", betting.jackpot)):
        if fee is not None:
            yield f"fee.{name}.of", fee.base, FEE_BASES


def check_betting(definition: Definition, problems: Problems) -> None:
    """Record everything in a definition that can't be settled or that cites nothing."""
    betting = betting_of(definition)
    check_cites(definition, problems)
    check_examples(definition, problems)
    asked = {option.way for _, option, _ in options_of(betting) if option.is_asked}
    check_interpretations(definition, problems, asked)
    for where, option, ways in options_of(betting):
        _check_option(definition, where, option, ways, problems)
    _check_cards(definition, betting, problems)
    for place, street in enumerate(betting.streets):
        if street.id in [each.id for each in betting.streets[:place]]:
            problems.add(f"street[{place}].id", f"There are two streets `{street.id}`.")


def _check_option(
    definition: Definition, where: str, option: Option, ways: tuple[str, ...], problems: Problems
) -> None:
    known = ways
    found: tuple[str, ...] = (option.way,)
    if option.is_asked:
        found = tuple(definition.interpretations[option.way].readings)
    wrong = [each for each in found if each not in known]
    if wrong:
        listed = ", ".join(f"`{each}`" for each in known)
        problems.add(
            where,
            f"There is no way or interpretation `{wrong[0]}`. Write one of {listed}, or the id of"
            " an interpretation with readings of these names.",
        )


def _check_cards(definition: Definition, betting: Betting, problems: Problems) -> None:
    deal, decks = definition.deal, definition.decks
    hand = definition.hands[BEST]
    if decks.jokers or decks.number > 1:
        problems.add("game.deck", "The family `versus` ranks hands of one deck without jokers.")
    if hand.size < hand.ranking.cards:
        problems.add(
            "hand.ranking",
            f"There are {hand.size} cards; `{hand.ranking.id}` takes {hand.ranking.cards}.",
        )
    dealt = (definition.players or 2) * deal.player + sum(deal.community)
    if dealt > 52:
        problems.add("deal", f"The players and the table take {dealt} cards; there are 52.")
    if betting.own is not None and not (
        hand.ranking.cards - sum(deal.community) <= betting.own <= deal.player
        and betting.own <= hand.ranking.cards
    ):
        problems.add("hand.own", f"A hand can't have {betting.own} cards of the player's own.")
