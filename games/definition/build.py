"""Builds the model of a definition from values whose form was checked."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from games.definition.model import (
    Bonuses,
    CardsOf,
    Choice,
    Clause,
    Comparison,
    Condition,
    Deal,
    DealtAfter,
    Decision,
    Decks,
    Definition,
    Envy,
    Example,
    Hand,
    HandSpec,
    Interpretation,
    Jackpot,
    Maximum,
    Multiple,
    Outcome,
    PayLine,
    PayTable,
    Ranking,
    Rounding,
    Source,
    Span,
    Strategy,
    StrategyRule,
    Test,
    VoidReason,
    Wager,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.definition.problems import Problems

Values = dict[str, Any]

WORDS: Final = {"win": Fraction(1), "push": Fraction(0), "lose": Fraction(-1)}

FLUSH_LENGTH: Final = "flush_length"
RUN_LENGTH: Final = "straight_flush_length"
LENGTH_NAMES: Final = {
    FLUSH_LENGTH: tuple(f"flush_{size}" for size in range(9, 0, -1)),
    RUN_LENGTH: tuple(f"straight_flush_{size}" for size in range(9, 0, -1)),
}
"""Rankings by length alone: the longest flush, or the longest straight flush, among the cards."""

BUILT_IN: Final = {
    ranking.id: ranking
    for ranking in (
        Ranking("one_card", 1, ("high_card",), ()),
        Ranking("two_card", 2, ("pair", "flush", "high_card"), ()),
        Ranking(
            "three_card",
            3,
            ("straight_flush", "three_of_a_kind", "straight", "flush", "pair", "high_card"),
            (),
        ),
        Ranking(
            "four_card",
            4,
            (
                "four_of_a_kind", "straight_flush", "three_of_a_kind", "flush", "straight",
                "two_pairs", "pair", "high_card",
            ),
            (),
        ),
        Ranking(
            "five_card",
            5,
            (
                "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
                "three_of_a_kind", "two_pairs", "pair", "high_card",
            ),
            (),
        ),
        Ranking(FLUSH_LENGTH, 1, LENGTH_NAMES[FLUSH_LENGTH], ()),
        Ranking(RUN_LENGTH, 1, LENGTH_NAMES[RUN_LENGTH], ()),
    )
}  # fmt: skip


def build(read: Values, problems: Problems) -> Definition:
    """Build the model; names that lead nowhere in the hands are problems."""
    deal = _deal(read["deal"])
    return Definition(
        **common_parts(read, problems),
        deal=deal,
        hands=_hands(read["hand"], read["ranking"], deal, problems),
        comparisons=each_of(
            read["compare"],
            lambda id_, of: Comparison(id_, of["player"], of["dealer"], of["clause"]),
        ),
        decisions=tuple(map(_decision, read["decision"])),
        strategies=each_of(read["strategy"], _strategy),
        own=_bonuses(read),
    )


def common_parts(read: Values, problems: Problems) -> Values:
    """Build what definitions of every family have, by the field of the model."""
    game = read["game"]
    wagers = each_of(read["wager"], _wager)
    mandatory = [key for key, wager in wagers.items() if wager.mandatory]
    return {
        "slug": game["slug"],
        "name": game["name"],
        "family": game["family"],
        "decks": Decks(game["deck"]["decks"], game["deck"].get("jokers", 0)),
        "players": game["players"],
        "base": game["base"] or next(iter(mandatory or wagers)),
        "cites": game["clause"],
        "sources": build_sources(read["source"]),
        "clauses": build_clauses(read["clause"], problems),
        "interpretations": build_interpretations(read["interpretation"]),
        "tests": each_of(read["test"], _test),
        "wagers": wagers,
        "other_results": each_of(read.get("result", {}), _other_result),
        "pay_tables": each_of(
            read["pay_table"],
            lambda wager, tables: each_of(tables, lambda name, of: _pay_table(wager, name, of)),
        ),
        "rounding": build_rounding(read["rounding"]),
        "void_reasons": tuple(
            VoidReason(of["reason"], of["required"], of["clause"]) for of in read["void"]
        ),
        "examples": build_examples(read["example"]),
    }


def each_of(tables: Mapping[str, Values], make: Callable[[str, Values], Any]) -> Any:
    """Build each of the tables by name."""
    return MappingProxyType({key: make(key, of) for key, of in tables.items()})


def build_sources(tables: Mapping[str, Values]) -> Mapping[str, Source]:
    """Return the filed documents by name."""
    sources: Mapping[str, Source] = each_of(
        tables, lambda id_, of: Source(id_, of["title"], of["digest"], of["date"])
    )
    return sources


def build_examples(items: tuple[Values, ...]) -> tuple[Example, ...]:
    """Return the worked examples."""
    return tuple(
        Example(of["name"], of["round"], of["pay_tables"], of["interpretations"]) for of in items
    )


def build_interpretations(tables: Mapping[str, Values]) -> Mapping[str, Interpretation]:
    """Return the open questions by id."""
    questions: Mapping[str, Interpretation] = each_of(tables, _interpretation)
    return questions


def build_clauses(items: tuple[Values, ...], problems: Problems) -> Mapping[str, Clause]:
    """Return the clauses by id; an id that appears twice is a problem."""
    clauses: dict[str, Clause] = {}
    for place, of in enumerate(items):
        id_, source = of["id"], of["source"]
        if id_ in clauses:
            problems.add(f"clause[{place}].id", f"There are two clauses `{id_}`.")
        first, end = source["span"] or (None, None)
        span = Span(source["of"], source["page"], first, end)
        clauses[id_] = Clause(id_, of["says"], span, of["unlogged"])
    return MappingProxyType(clauses)


def _interpretation(id_: str, of: Values) -> Interpretation:
    readings = MappingProxyType(of["readings"])
    return Interpretation(
        id_, of["asks"], readings, of["default"], of["affects_money"], of["clause"]
    )


def _deal(of: Values) -> Deal:
    after = []
    for more in of["after"]:
        ((decision, choices),) = more["choice"].items()
        after.append(DealtAfter(decision, choices, more["player"], more["dealer"]))
    return Deal(
        of["player"], of["dealer"], of["dealer_up"], of["community"], tuple(after), of["clause"]
    )


def _hands(
    tables: Mapping[str, Values], rankings: Mapping[str, Values], deal: Deal, problems: Problems
) -> Mapping[str, Hand]:
    known = dict(BUILT_IN)
    for id_, of in rankings.items():
        if id_ in BUILT_IN:
            problems.add(f"ranking.{id_}", "This ranking is built in. Use another name.")
        known[id_] = Ranking(id_, of["cards"], of["order"], of["clause"])
    hands = {}
    for id_, of in tables.items():
        parts = tuple(_part(text, deal, f"hand.{id_}.from", problems) for text in of["from"])
        ranking = known.get(of["ranking"])
        if ranking is None:
            names = ", ".join(f"`{name}`" for name in known)
            problems.add(
                f"hand.{id_}.ranking",
                f"There is no ranking `{of['ranking']}`; there are {names}.",
            )
            continue
        hands[id_] = Hand(id_, parts, ranking)
    return MappingProxyType(hands)


def _part(text: str, deal: Deal, where: str, problems: Problems) -> CardsOf:
    of, _, places = text.partition(" ")
    dealt = {"player": deal.player, "dealer": deal.dealer, "community": sum(deal.community)}[of]
    later = {"player": [each.player for each in deal.after],
             "dealer": [each.dealer for each in deal.after]}.get(of, [])  # fmt: skip
    most = dealt + max(later, default=0)
    if not places:
        if dealt == 0:
            problems.add(where, f'"{text}" is no card: `deal` gives none to the {of}.')
        return CardsOf(of, 0, dealt)
    first, _, last = places.partition("-")
    part = CardsOf(of, int(first) - 1, int(last or first))
    if part.end > most or part.end <= part.first:
        problems.add(where, f'"{text}" is not among the {most} cards dealt to the {of}.')
    return part


def build_spec(of: Values | None) -> HandSpec | None:
    """Build a hand by name and leading ranks."""
    return None if of is None else HandSpec(of["hand"], of["ranks"])


def _test(id_: str, of: Values) -> Test:
    return Test(
        id_,
        of.get("hand", ""),
        build_spec(of.get("at_least")),
        build_spec(of.get("at_most")),
        of["clause"],
    )


def build_condition(of: Values | None) -> Condition:
    """Build when something applies."""
    if of is None:
        return Condition({}, None, {}, {}, {})
    return Condition(
        choices=of.get("choice", {}),
        folded=of.get("folded", of.get("fouled")),
        compares=of.get("compare") or {},
        tests=of["test"] or {},
        readings=of["reading"] or {},
    )


def _choice(of: Values) -> Choice:
    times = of["times"]
    return Choice(
        id=of["id"],
        folds=of["folds"],
        ends=of["ends"] or of["folds"],
        takes_back=of["takes_back"],
        wager=of["wager"],
        least=times[0],
        most=times[-1],
        of=of["of"],
        when=build_condition(of["when"]),
        cites=of["clause"],
    )


def _decision(of: Values) -> Decision:
    choices = tuple(map(_choice, of["choices"]))
    return Decision(
        of["id"], of["says"], of["sees"], build_condition(of["when"]), choices, of["clause"]
    )


def _odds(value: Any) -> Fraction:
    return WORDS[value] if isinstance(value, str) else value


def _outcome(of: Values) -> Outcome:
    commission = of.get("commission")
    odds = None if of["result"] == "table" else _odds(of["result"])
    if odds is not None and commission is not None:
        odds *= 1 - commission
    return Outcome(
        when=build_condition(of["when"]),
        odds=odds,
        hand=of.get("hand"),
        no_line=_odds(of["no_line"]),
        rounding=build_rounding(of["rounding"]),
        cites=of["clause"],
        commission=commission,
    )


def build_rounding(of: Values | None) -> Rounding | None:
    """Build how a result is rounded."""
    return None if of is None else Rounding(of["step"], of["direction"], of["clause"])


def _wager(id_: str, of: Values) -> Wager:
    most = of["at_most"]
    return Wager(
        id=id_,
        says=of["says"],
        mandatory=of["mandatory"],
        equals=of["equals"],
        at_most=None if most is None else Multiple(most["times"], most["of"]),
        hand=of.get("hand"),
        outcomes=tuple(map(_outcome, of["outcomes"])),
        cites=of["clause"],
        pays_as=of["pays_as"],
    )


def _other_result(id_: str, of: Values) -> Wager:
    return Wager(
        id=id_,
        says=of["says"],
        mandatory=False,
        equals=None,
        at_most=None,
        hand=of["hand"],
        outcomes=tuple(map(_outcome, of["outcomes"])),
        cites=(),
        of=of["of"],
        into=of["into"],
    )


def _pay_table(wager: str, name: str, of: Values) -> PayTable:
    lines = tuple(_line(id_, line) for id_, line in of["lines"].items())
    return PayTable(wager, name, lines, of["clause"])


def _line(id_: str, of: Values) -> PayLine:
    if of.get("hand", id_) is None and id_ in ROYALS:
        return PayLine(id_, "straight_flush", "A", "", of["pays"])
    fits = of.get("hand") or of.get("test") or id_
    return PayLine(id_, fits, of.get("from", ""), of.get("to", ""), of["pays"])


ROYALS: Final = ("royal_flush", "mini_royal")
"""Lines that mean the straight flush to the ace, unless they name a hand."""


def _bonuses(read: Values) -> Bonuses | None:
    if not (read["envy"] or read["jackpot"] or read["maximum"]):
        return None
    return Bonuses(
        envies=build_envies(read["envy"]),
        jackpots=tuple(
            Jackpot(id_, of["says"], of["of"], of["meter"], MappingProxyType(of["pays"]),
                    of["clause"])
            for id_, of in read["jackpot"].items()
        ),
        maximums=tuple(
            Maximum(of["per"], of["most"], of["of"], of["clause"]) for of in read["maximum"]
        ),
    )  # fmt: skip


def build_envies(tables: Mapping[str, Values]) -> tuple[Envy, ...]:
    """Return the envy bonuses."""
    return tuple(
        Envy(id_, of["says"], of["of"], of["least"], MappingProxyType(of["pays"]), of["clause"])
        for id_, of in tables.items()
    )


def _strategy(id_: str, of: Values) -> Strategy:
    rules = tuple(
        StrategyRule(rule["decision"], build_condition(rule["when"]), rule["choose"])
        for rule in of["rules"]
    )
    return Strategy(id_, of["says"], rules)
