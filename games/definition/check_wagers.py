"""Whether wagers, conditions, questions and strategies lead anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.definition.places import place_of, unknown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from games.definition.model import Condition, Definition, Wager
    from games.definition.problems import Problems


def check_wagers(definition: Definition, problems: Problems, *, reads_hands: bool = True) -> None:
    """Record wagers and pay tables that can't be settled; tables may read hands, or only tests."""
    unknown(problems, "game.base", "wager", definition.base, definition.wagers)
    for id_, wager in definition.payouts.items():
        where = place_of(wager)
        for key, other in (("of", wager.of), ("into", wager.into)):
            unknown(problems, f"{where}.{key}", "wager", other, definition.wagers)
        if wager.of is not None and id_ in definition.wagers:
            problems.add(where, f"There is a wager `{id_}` as well. Use another name.")
        unknown(problems, f"{where}.hand", "hand", wager.hand, definition.hands)
        unknown(problems, f"{where}.equals", "wager", wager.equals, definition.wagers)
        unknown(problems, f"{where}.pays_as", "pay table", wager.pays_as, definition.pay_tables)
        if wager.at_most is not None:
            unknown(problems, f"{where}.at_most.of", "wager", wager.at_most.of, definition.wagers)
        if _is_circular(definition, wager):
            problems.add(f"{where}.equals", "These wagers equal each other in a circle.")
        _check_outcomes(definition, wager, problems, reads_hands=reads_hands)
    for id_ in definition.pay_tables:
        if unknown(problems, f"pay_table.{id_}", "wager", id_, definition.payouts):
            continue
        if all(outcome.odds is not None for outcome in definition.payouts[id_].outcomes):
            problems.add(
                f"pay_table.{id_}", f'No outcome of `{id_}` has the result "table". Use it.'
            )


def _is_circular(definition: Definition, wager: Wager) -> bool:
    passed = {wager.id}
    while wager.equals is not None and wager.equals in definition.wagers:
        wager = definition.wagers[wager.equals]
        if wager.id in passed:
            return True
        passed.add(wager.id)
    return False


def _check_outcomes(
    definition: Definition, wager: Wager, problems: Problems, *, reads_hands: bool
) -> None:
    conditions: list[Condition] = []
    for place, outcome in enumerate(wager.outcomes):
        where = f"{place_of(wager)}.outcomes[{place}]"
        earlier = next((each for each in conditions if each.is_always), None)
        if earlier is not None or outcome.when in conditions:
            problems.add(where, "An outcome above already applies. Remove this or that one.")
        conditions.append(outcome.when)
        unknown(problems, f"{where}.hand", "hand", outcome.hand, definition.hands)
        if outcome.odds is None:
            if wager.table not in definition.pay_tables:
                problems.add(where, f"There is no `pay_table.{wager.table}`.")
            if reads_hands and (outcome.hand or wager.hand) is None:
                problems.add(where, f"Name the hand that the pay table of `{wager.id}` reads.")
    if not conditions[-1].is_always:
        problems.add(
            f"{place_of(wager)}.outcomes",
            "The last outcome must have no `when`: it applies in every other case.",
        )


def _conditions(definition: Definition) -> Iterator[tuple[str, Condition]]:
    """Yield every condition with its place."""
    for wager in definition.payouts.values():
        for place, outcome in enumerate(wager.outcomes):
            yield f"{place_of(wager)}.outcomes[{place}].when", outcome.when
    for place, decision in enumerate(definition.decisions):
        yield f"decision[{place}].when", decision.when
        for number, choice in enumerate(decision.choices):
            yield f"decision[{place}].choices[{number}].when", choice.when
    for id_, strategy in definition.strategies.items():
        for place, rule in enumerate(strategy.rules):
            yield f"strategy.{id_}.rules[{place}].when", rule.when


def check_conditions(definition: Definition, problems: Problems) -> None:
    """Record conditions on what the definition doesn't have."""
    choices = {each.id: [one.id for one in each.choices] for each in definition.decisions}
    for where, when in _conditions(definition):
        for decision, names in when.choices.items():
            if not unknown(problems, f"{where}.choice", "decision", decision, choices):
                for name in names:
                    unknown(problems, f"{where}.choice", "choice", name, choices[decision])
        for name in when.compares:
            unknown(problems, f"{where}.compare", "comparison", name, definition.comparisons)
        for name in when.tests:
            unknown(problems, f"{where}.test", "test", name, definition.tests)
        for name, readings in when.readings.items():
            asked = definition.interpretations
            if not unknown(problems, f"{where}.reading", "interpretation", name, asked):
                for reading in readings:
                    known = asked[name].readings
                    unknown(problems, f"{where}.reading", "reading", reading, known)


def check_interpretations(
    definition: Definition, problems: Problems, elsewhere: Collection[str] = ()
) -> None:
    """Record questions whose default is no reading, or that nothing, `elsewhere`, depends on."""
    used = {name for _, when in _conditions(definition) for name in when.readings}
    used.update(elsewhere)
    for id_, question in definition.interpretations.items():
        where = f"interpretation.{id_}"
        unknown(problems, f"{where}.default", "reading", question.default, question.readings)
        if question.affects_money and id_ not in used:
            problems.add(
                where,
                "Nothing depends on this question. Use it in a `when.reading`, or write"
                " `affects_money = false`.",
            )


def check_strategies(definition: Definition, problems: Problems) -> None:
    """Record strategies that leave a decision open."""
    choices = {each.id: [one.id for one in each.choices] for each in definition.decisions}
    for id_, strategy in definition.strategies.items():
        where = f"strategy.{id_}"
        last = {}
        for place, rule in enumerate(strategy.rules):
            here = f"{where}.rules[{place}]"
            if not unknown(problems, f"{here}.decision", "decision", rule.decision, choices):
                unknown(problems, f"{here}.choose", "choice", rule.choose, choices[rule.decision])
            last[rule.decision] = rule
        for decision in choices:
            if decision not in last or not last[decision].when.is_always:
                problems.add(where, f"The last rule for `{decision}` must have no `when`.")


def check_examples(definition: Definition, problems: Problems) -> None:
    """Record examples under tables or readings that the definition doesn't have."""
    for place, example in enumerate(definition.examples):
        where = f"example[{place}]"
        for wager, name in example.pay_tables.items():
            tables = definition.pay_tables.get(wager, {})
            unknown(problems, f"{where}.pay_tables", f"pay table of `{wager}`", name, tables)
        for id_, reading in example.interpretations.items():
            asked = definition.interpretations
            if not unknown(problems, f"{where}.interpretations", "interpretation", id_, asked):
                known = asked[id_].readings
                unknown(problems, f"{where}.interpretations", "reading", reading, known)
