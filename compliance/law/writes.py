"""The commission's additions to the law: new values, and dates when values were verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.law import events
from compliance.law.models import LawAddition, LawVerification
from compliance.law.reads import law_rules, newest_addition
from compliance.law.values import Grade

if TYPE_CHECKING:
    from datetime import date

    from compliance.access.models import Person
    from compliance.law.values import LawRule


@transaction.atomic
def add_law_value(
    *,
    rule: str,
    from_date: date,
    value: int | str | None,
    verified_through: date,
    citation: str,
    filing: str,
    grade: Grade,
    source: str,
    by: Person,
    supersedes: LawAddition | None = None,
) -> LawAddition:
    """Add a value to a rule. It applies from its day on and ends the previous one.

    A value that begins on the same day as the newest one supersedes it. With `supersedes`, the
    newest addition counts no more, whenever it begins. What is on file stays on file.

    Rejects a rule that is not on file; a day before the newest value; a value of another type than
    the rule's; an unknown value with a number or a known one without; superseding anything but the
    newest addition.
    """
    require(by, Action.KEEP_LAW)
    known = _rule(rule)
    newest = newest_addition(rule)
    if supersedes is not None and supersedes != newest:
        msg = "Only the newest value that the commission added can be superseded."
        raise RefusedError(msg)
    if newest is not None and newest.from_date == from_date:
        supersedes = newest
    last = law_rules(without=supersedes)[rule].values[-1]
    begins = last.from_ if last.to is None else last.to
    if from_date < begins:
        msg = (
            f"{known.says}: the values before {begins} are on file and do not change. "
            f"Enter {begins} or a later day."
        )
        raise RefusedError(msg)
    if (grade == Grade.UNKNOWN) != (value is None):
        msg = "An unverified value has the grade unknown; no other value has."
        raise RefusedError(msg)
    numbers = all(isinstance(each.value, int | None) for each in known.values)
    if value is not None and isinstance(value, int) != numbers:
        msg = f"The values of this rule are {'whole numbers' if numbers else 'texts'}."
        raise RefusedError(msg)
    if isinstance(value, int) and value < 0:
        msg = "A limit is not negative."
        raise RefusedError(msg)
    if verified_through < from_date:
        msg = "Verify a value through a day on which it is in effect."
        raise RefusedError(msg)
    _require_source(source)
    added = LawAddition(
        rule=rule,
        from_date=from_date,
        value=value,
        verified_through=verified_through,
        citation=citation,
        filing=filing,
        grade=grade.value,
        source=source,
        at=clock.now(),
        supersedes=supersedes,
    )
    added.clean_fields()
    added.save()
    record(
        events.VALUE_ADDED,
        by=by,
        about=added,
        carries={
            "rule": rule,
            "value": value,
            "unit": known.unit,
            "from_date": from_date.isoformat(),
            "citation": citation,
            "filing": filing,
            "supersedes": str(supersedes.uuid) if supersedes else None,
        },
    )
    return added


@transaction.atomic
def verify_law(*, rule: str, through: date, source: str, by: Person) -> LawVerification:
    """Record that a rule's newest value was still in effect on a day.

    Rejects a day that was verified before; a future day; a rule whose last value has ended.
    """
    require(by, Action.KEEP_LAW)
    last = _rule(rule).values[-1]
    if last.verified_through is None:
        msg = (
            f"The last known value of this rule ended on {last.to}. Add the value in effect since."
        )
        raise RefusedError(msg)
    if through <= last.verified_through:
        msg = f"This value is verified through {last.verified_through} already."
        raise RefusedError(msg)
    if through > clock.today():
        msg = "A future day cannot be verified yet."
        raise RefusedError(msg)
    _require_source(source)
    looked = LawVerification(rule=rule, through=through, source=source, at=clock.now())
    looked.save()
    record(
        events.VERIFIED,
        by=by,
        about=looked,
        carries={"rule": rule, "through": through.isoformat()},
    )
    return looked


def _rule(name: str) -> LawRule:
    rules = law_rules()
    if name not in rules:
        msg = f"There is no rule {name!r} on file. The rules are {', '.join(sorted(rules))}."
        raise RefusedError(msg)
    return rules[name]


def _require_source(source: str) -> None:
    if not source.strip():
        msg = "Say where this was read, so that others can look it up."
        raise RefusedError(msg)
