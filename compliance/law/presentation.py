"""The law in words: one value, and tables of rules and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables

from compliance.law.values import Certainty
from compliance.ui.filters import day
from compliance.ui.lists import dollars
from compliance.ui.tables import DayColumn, ListTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

    from compliance.law.values import LawRule, LawValue, Span


def describe_amount(value: LawValue) -> str:
    """Return the amount, and another one with the condition under which it applies."""
    if value.value is None:
        amount = "Unknown: not verified"
    elif not isinstance(value.value, int):
        amount = str(value.value).replace("_", " ")
    elif value.unit == "cents":
        amount = dollars(value.value)
    else:
        amount = f"{value.value:,} {value.unit}"
    if not value.conditional_value:
        return amount
    return f"{amount}; {dollars(value.conditional_value)} where: {value.condition}"


def cite(value: LawValue) -> str:
    """Return the citation and the filing."""
    return ", ".join(filter(None, (value.citation, value.filing)))


def describe_certainty(value: LawValue, on: date) -> str:
    """Return the grade, and since when the value is carried forward if it is on that day."""
    if not value.carried_forward(on) or value.verified_through is None:
        return value.grade.value
    return f"{value.grade.value}; carried forward since {day(value.verified_through)}"


class LawTable(ListTable):
    """What each rule allowed on one day."""

    rule = tables.Column(linkify=lambda record: record["url"])
    value = tables.Column()
    cites = tables.Column(verbose_name="Citation and filing")
    certainty = tables.Column(verbose_name="How sure")


def law_table(rules: Iterable[LawRule], on: date, url_of: Callable[[str], str]) -> LawTable:
    """Return the table of a day; `url_of` returns the page of a rule."""
    rows = []
    for rule in rules:
        value = rule.on(on)
        row: dict[str, Any] = {"rule": f"{rule.says} ({rule.scope})", "url": url_of(rule.name)}
        if value is None:
            row |= {"value": "Nothing is known for this day", "certainty": "unknown"}
        else:
            row["value"] = describe_amount(value)
            row["cites"] = cite(value)
            row["certainty"] = describe_certainty(value, on)
        rows.append(row)
    return LawTable(rows, caption=f"The law on {day(on)}")


class LawValueTable(ListTable):
    """The values of one rule over time."""

    begin = DayColumn(verbose_name="From")
    until = tables.Column()
    value = tables.Column()
    cites = tables.Column(verbose_name="Citation and filing")
    certainty = tables.Column(verbose_name="How sure")


def rule_table(rule: LawRule) -> LawValueTable:
    """Return a rule's values, newest first."""
    rows = [
        {
            "begin": value.from_,
            "until": day(value.to) or f"verified through {day(value.verified_through)}",
            "value": describe_amount(value),
            "cites": cite(value),
            "certainty": f"{value.grade.value}: {value.source}",
        }
        for value in reversed(rule.values)
    ]
    return LawValueTable(rows, caption="Through the years, newest first")


def time_line_table(spans: Sequence[Span]) -> LawValueTable:
    """Return the time line of a rule, oldest first, with what is unknown."""
    rows = []
    for span in spans:
        row: dict[str, Any] = {"begin": span.begin, "until": day(span.end), "value": "Unknown"}
        row["certainty"] = "Unknown: not verified for that time"
        if span.value is not None:
            row |= {"value": describe_amount(span.value), "cites": cite(span.value)}
            row["certainty"] = f"{span.sure.capitalize()}: {span.value.source}"
        if span.sure == Certainty.CARRIED:
            row["certainty"] = f"Carried forward: not verified since {day(span.begin)}"
        rows.append(row)
    if rows:
        rows[-1]["until"] = "today"
    return LawValueTable(
        rows,
        caption="Through the years, oldest first; nothing is known of the time before",
        empty_text="Nothing is known of this rule yet.",
    )
