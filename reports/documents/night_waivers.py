"""What is waived on a gambling day: patterns by an agent's decision, conditions of approvals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from audits.models import Decision, Pattern
from compliance.models import ConditionMark
from compliance.selectors.in_force import in_force_between
from reports.documents.night_patterns import what
from reports.documents.people import local, name_of
from reports.documents.wording import day as day_in_words
from reports.documents.wording import instant
from reports.paper.blocks import Column, Heading, Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from audits.models import GamblingDay
    from reports.paper.blocks import Block


def waivers_on(day: GamblingDay, games: Iterable[str]) -> list[dict[str, Any]]:
    """Waivers that stand on a day: of patterns, and of conditions of what bound these games."""
    return [*_of_patterns(day), *_of_conditions(day, games)]


def waivers_blocks(waivers: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """What somebody waived, until when and why."""
    yield Heading("Waivers")
    yield Rows(
        "waivers",
        "What is waived on this gambling day",
        (Column("What"), Column("Where"), Column("By"), Column("Until"), Column("Because")),
        tuple(
            (
                each["what"],
                each["where"],
                f"{each['by'] or 'a person whose name was removed'}, {instant(each['at'])}",
                day_in_words(each["until"]) if each["until"] else "–",
                each["reason"],
            )
            for each in waivers
        ),
        "Nothing is waived.",
    )


def _of_patterns(day: GamblingDay) -> Iterator[dict[str, Any]]:
    waived = Pattern.State.WAIVED
    decisions = Decision.objects.filter(
        Q(until__isnull=True) | Q(until__gte=day.day),
        pattern__party=day.party,
        pattern__state=waived,
        state=waived,
    )
    # of several on one pattern the last counts
    last = {each.pattern_id: each for each in decisions.select_related("pattern").order_by("pk")}
    for each in last.values():
        pattern = each.pattern
        says = {"code": pattern.code, "wager": pattern.wager, "line": pattern.line}
        yield {
            "what": what(says),
            "where": f"Table {pattern.table}" if pattern.table else "The gambling day",
            "by": name_of(each.by),
            "at": local(each.at),
            "until": each.until.isoformat() if each.until else None,
            "reason": each.reason,
        }


def _of_conditions(day: GamblingDay, games: Iterable[str]) -> Iterator[dict[str, Any]]:
    approvals = {
        approval.pk: (game, approval)
        for game in games
        for _, _, bound in in_force_between(
            operator=day.party, game=game, table=None, begin=day.begins, end=day.ends
        )
        for approval in bound.approvals
    }
    marks = ConditionMark.objects.filter(
        condition__approval__in=list(approvals), at__lt=day.ends
    ).select_related("condition")
    last = {each.condition_id: each for each in marks.order_by("pk")}
    for each in last.values():
        if each.mark != ConditionMark.Mark.WAIVED or (each.until and each.until <= day.day):
            continue
        game, approval = approvals[each.condition.approval_id]
        yield {
            "what": f"Condition: {each.condition.says}",
            "where": f"{approval.get_kind_display()}, {game}",
            "by": name_of(each.by),
            "at": local(each.at),
            "until": each.until.isoformat() if each.until else None,
            "reason": each.reason,
        }
