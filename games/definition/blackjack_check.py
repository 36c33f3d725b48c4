"""Whether a definition of the family `blackjack` can be dealt, played and settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.definition.blackjack_form import HAND, MAIN, OF_HAND, OPENING, OPTIONS, TESTS
from games.definition.blackjack_model import rules_of
from games.definition.check_lines import check_rounding
from games.definition.check_wagers import (
    check_conditions,
    check_examples,
    check_interpretations,
    check_wagers,
)
from games.definition.checks import check_cites
from games.definition.places import place_of, unknown

if TYPE_CHECKING:
    from games.definition.blackjack_model import Blackjack, CardPattern, HandBonus
    from games.definition.model import Condition, Definition
    from games.definition.problems import Problems


def check_blackjack(definition: Definition, problems: Problems) -> None:
    """Record everything in a definition that can't be settled or that cites nothing."""
    rules = rules_of(definition)
    check_cites(definition, problems)
    asked = _check_options(definition, rules, problems)
    for pattern in rules.patterns.values():
        _check_pattern(pattern, problems)
    check_wagers(definition, problems, reads_hands=False)
    check_conditions(definition, problems)
    asked |= {id_ for bonus in rules.bonuses for id_ in bonus.when.readings}
    check_interpretations(definition, problems, asked)
    check_examples(definition, problems)
    _check_main(definition, problems)
    _check_insurance(definition, rules, problems)
    for bonus in rules.bonuses:
        _check_bonus(definition, bonus, problems)
    if not problems:
        _check_lines(definition, problems)
        check_rounding(definition, problems)


def _check_options(definition: Definition, rules: Blackjack, problems: Problems) -> set[str]:
    """Record options that are no word and no question, and return the questions."""
    asked = set()
    for name, value in rules.options.items():
        words = OPTIONS[name]
        if value in words:
            continue
        question = definition.interpretations.get(value)
        if question is None or not set(question.readings) <= set(words):
            listed = ", ".join(f"`{word}`" for word in words)
            problems.add(
                name, f"Write {listed}, or the id of an interpretation with only such readings."
            )
        asked.add(value)
    return asked


def _check_pattern(pattern: CardPattern, problems: Problems) -> None:
    where = f"pattern.{pattern.id}"
    if pattern.id in TESTS:
        problems.add(where, "Every hand has a test of this name. Use another name.")
    parts = (pattern.number, pattern.total, pattern.ranks, pattern.suits, pattern.cards)
    if not any(parts) and not pattern.matches:
        problems.add(where, "Say something about the cards: their number, total, ranks or suits.")
    for key, bounds in (("number", pattern.number), ("total", pattern.total)):
        if bounds and bounds[0] > bounds[-1]:
            problems.add(f"{where}.{key}", f"{bounds[0]} is more than {bounds[-1]}.")
    for name in pattern.matches:
        unknown(problems, f"{where}.matches", "match", name, ("suited", "unsuited"))
    if pattern.matches and pattern.of != OPENING:
        problems.add(f"{where}.of", "Only the `opening` cards are matched with the upcard.")


def _check_main(definition: Definition, problems: Problems) -> None:
    if MAIN not in definition.wagers:
        problems.add("wager", f"Name the wager of each hand `{MAIN}`: round logs do.")
    elif not definition.wagers[MAIN].mandatory:
        problems.add(f"wager.{MAIN}.mandatory", "Every hand has this wager: write `true`.")
    for wager in definition.wagers.values():
        if wager.id != MAIN:
            for place, outcome in enumerate(wager.outcomes):
                where = f"{place_of(wager)}.outcomes[{place}].when"
                _check_alone(definition, where, outcome.when, problems)


def _check_alone(definition: Definition, where: str, when: Condition, problems: Problems) -> None:
    """Record what only a hand as played can answer: a seat may have several."""
    for name in (*when.tests, *(("dealer",) if when.compares else ())):
        if name == "dealer" or _is_of_hand(definition, name):
            problems.add(where, f"Only `{MAIN}` and bonuses can ask for `{name}`, for each hand.")


def _is_of_hand(definition: Definition, name: str) -> bool:
    pattern = rules_of(definition).patterns.get(name)
    return name in OF_HAND or (pattern is not None and pattern.of == HAND)


def _check_lines(definition: Definition, problems: Problems) -> None:
    """Record lines that read no pattern, and lines that the one above always hides."""
    for key, tables in definition.pay_tables.items():
        for name, table in tables.items():
            seen: set[str] = set()
            for line in table.lines:
                where = f"pay_table.{key}.{name}.lines.{line.id}"
                if unknown(problems, where, "pattern", line.hand, definition.tests):
                    continue
                pattern = line.hand
                if pattern in seen:
                    problems.add(where, f"A line above has the pattern `{pattern}`. Remove one.")
                seen.add(pattern)
                payers = [each.id for each in definition.wagers.values() if each.table == key]
                if _is_of_hand(definition, line.hand) and payers != [MAIN]:
                    problems.add(where, f"Only `{MAIN}` can be paid by `{line.hand}`.")


def _check_insurance(definition: Definition, rules: Blackjack, problems: Problems) -> None:
    insurance = rules.insurance
    if insurance is None:
        return
    unknown(problems, "insurance.wager", "wager", insurance.wager, definition.wagers)
    if not 0 < insurance.most <= 1:
        problems.add("insurance.most", 'Write a part of the opening wager such as "1/2".')


def _check_bonus(definition: Definition, bonus: HandBonus, problems: Problems) -> None:
    where = f"bonus.{bonus.id}"
    for key in (bonus.id, bonus.envy):
        if key in definition.wagers:
            problems.add(where, f"There is a wager `{key}`. Use another name.")
    if (bonus.envy is None) != (bonus.envy_pays == 0):
        problems.add(where, "Write `envy` and `envy_pays` together.")
    least = [step.least for step in bonus.steps]
    if least != sorted(set(least)):
        problems.add(f"{where}.pays", "List the steps from the smallest wager up.")
    for name in bonus.when.tests:
        unknown(problems, f"{where}.when.test", "test", name, definition.tests)
    if bonus.when.compares:
        problems.add(f"{where}.when.compare", "A bonus is paid whatever the dealer has.")
