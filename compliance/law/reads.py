"""The law as known: the values shipped with the system, and the commission's additions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from compliance.law.models import LawAddition, LawVerification
from compliance.law.values import Grade, LawRule, LawValue, shipped_rules

if TYPE_CHECKING:
    from datetime import date, datetime


def law_rules(*, known_at: datetime | None = None) -> dict[str, LawRule]:
    """Return every rule with its values, as known now or at an earlier instant."""
    rules = dict(shipped_rules())
    until: dict[str, Any] = {} if known_at is None else {"at__lte": known_at}
    for addition in LawAddition.objects.filter(**until):
        rules[addition.rule] = with_addition(rules[addition.rule], addition)
    for looked in LawVerification.objects.filter(**until):
        rules[looked.rule] = _verified(rules[looked.rule], looked.through)
    return rules


def law_on(day: date, *, known_at: datetime | None = None) -> list[LawValue]:
    """Return what each rule allowed on a day, if anything is known; by the rule's name."""
    rules = law_rules(known_at=known_at)
    found = [rules[name].on(day) for name in sorted(rules)]
    return [value for value in found if value is not None]


def with_addition(rule: LawRule, addition: LawAddition) -> LawRule:
    """Return a rule with one more value: the last one without an end ends where it begins."""
    last = rule.values[-1]
    if last.to is None:
        last = replace(last, to=addition.from_date, verified_through=None)
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
    return replace(rule, values=(*rule.values[:-1], last, added))


def _verified(rule: LawRule, through: date) -> LawRule:
    last = rule.values[-1]
    if last.verified_through is None or last.verified_through >= through:
        return rule
    return replace(rule, values=(*rule.values[:-1], replace(last, verified_through=through)))
