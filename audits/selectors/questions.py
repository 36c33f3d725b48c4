"""What the commission asked an operator about a pattern, and what was answered.

Of all decisions these alone are the operator's to read, once the pattern was released to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import OuterRef, Subquery

from audits.models import AnswerPaper, Decision, Pattern
from compliance.selectors.documents import papers_named
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from django.db.models import QuerySet

    from compliance.selectors.documents import NamedPaper

ASK, ANSWER = "ask", "answer"


@dataclass(frozen=True)
class Question:
    """What was asked, by when it was to be answered, and the answer."""

    text: str
    at: datetime
    until: date | None
    answer: str = ""
    answered: datetime | None = None
    papers: Sequence[NamedPaper] = ()


def questions_on(pattern: Pattern) -> list[Question]:
    """What was asked on a pattern that was released, the newest first."""
    if pattern.released is None:
        return []
    with without_walls():
        said = list(
            Decision.objects.filter(pattern=pattern, step__in=(ASK, ANSWER)).order_by("at", "id")
        )
    papers = papers_named(AnswerPaper.objects.filter(comment__in=said))
    asked: list[Question] = []
    for each in said:
        if each.step == ASK:
            asked.append(Question(each.reason, each.at, each.until))
        elif asked:
            last = asked.pop()
            shown = papers.get(each.pk, [])
            asked.append(Question(last.text, last.at, last.until, each.reason, each.at, shown))
    return asked[::-1]


def waiting_for_an_answer() -> QuerySet[Pattern]:
    """Released patterns, of those one may see, on which the commission waits for an answer."""
    return Pattern.objects.filter(
        state=Pattern.State.INFORMATION_REQUESTED, released__isnull=False
    ).order_by("pk")


def with_deadline(waiting: QuerySet[Pattern]) -> QuerySet[Pattern]:
    """Patterns with the day by which the newest question is to be answered, as `until`."""
    with without_walls():
        asked = Decision.objects.filter(pattern=OuterRef("pk"), step=ASK).order_by("-at", "-id")
    return waiting.annotate(until=Subquery(asked.values("until")[:1]))
