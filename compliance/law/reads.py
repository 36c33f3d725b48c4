"""The law as known: the values shipped with the system, and the commission's additions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from compliance.law.models import LawAddition, LawVerification
from compliance.law.values import Grade, LawRule, LawValue, shipped_rules

if TYPE_CHECKING:
    from datetime import date, datetime


def law_rules(
    *, known_at: datetime | None = None, without: LawAddition | None = None
) -> dict[str, LawRule]:
    """Return every rule with its values, as known now or at an earlier instant.

    Additions and verifications apply in the order in which they were recorded: a verification is
    about the newest value at that time. `without` leaves out the newest addition to a rule.
    """
    rules = dict(shipped_rules())
    until: dict[str, Any] = {} if known_at is None else {"at__lte": known_at}
    steps: dict[str, list[LawAddition | LawVerification]] = {}
    recorded = [*LawAddition.objects.filter(**until), *LawVerification.objects.filter(**until)]
    for step in sorted(recorded, key=lambda each: (each.at, each.pk)):
        of_rule = steps.setdefault(step.rule, [])
        if isinstance(step, LawAddition) and step.supersedes_id is not None:
            # What was verified since was the value that is superseded.
            del of_rule[_place_of(step.supersedes_id, of_rule) :]
        of_rule.append(step)
    if without is not None:
        del steps[without.rule][_place_of(without.pk, steps[without.rule]) :]
    for name, of_rule in steps.items():
        for step in of_rule:
            rules[name] = (
                with_addition(rules[name], step)
                if isinstance(step, LawAddition)
                else _verified(rules[name], step.through)
            )
    return rules


def newest_addition(rule: str) -> LawAddition | None:
    """Return the commission's newest addition to a rule, if its newest value is one."""
    return LawAddition.objects.filter(rule=rule, superseded_by=None).order_by("at", "id").last()


def _place_of(addition: int, steps: list[LawAddition | LawVerification]) -> int:
    return next(
        place
        for place, each in enumerate(steps)
        if isinstance(each, LawAddition) and each.pk == addition
    )


def law_on(day: date, *, known_at: datetime | None = None) -> list[LawValue]:
    """Return what each rule allowed on a day, if anything is known; by the rule's name."""
    rules = law_rules(known_at=known_at)
    found = [rules[name].on(day) for name in sorted(rules)]
    return [value for value in found if value is not None]


def with_addition(rule: LawRule, addition: LawAddition) -> LawRule:
    """Return a rule with one more value: the last one without an end ends where it begins.

    A value that begins on the same day as the last one takes its place.
    """
    last = rule.values[-1]
    before = rule.values[:-1]
    if last.from_ < addition.from_date:
        is_open = last.to is None
        ended = replace(last, to=addition.from_date, verified_through=None) if is_open else last
        before = (*before, ended)
    added = LawValue(
        rule=rule.name,
        scope=rule.scope,
        unit=rule.unit,
        from_=addition.from_date,
        to=None,
        value=addition.value,
        conditional_value=None,
        condition="",
        verified_through=addition.verified_through,
        citation=addition.citation,
        filing=addition.filing,
        grade=Grade(addition.grade),
        source=addition.source,
    )
    return replace(rule, values=(*before, added))


def _verified(rule: LawRule, through: date) -> LawRule:
    last = rule.values[-1]
    if last.verified_through is None or last.verified_through >= through:
        return rule
    return replace(rule, values=(*rule.values[:-1], replace(last, verified_through=through)))
