"""Questions to an operator about an issue, and its answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, OuterRef, Subquery

from audits.replay.findings.models import Issue
from audits.replay.findings.wording import describe_title
from audits.review import events
from audits.review.issues.assignments import due_from
from audits.review.issues.models import AnswerPaper, Decision, Work
from audits.review.issues.steps import ANSWER
from audits.review.operator_documents import file_operator_documents
from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.filings.documents.reads import cited_documents

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from django.db.models import QuerySet

    from compliance.access.scope import Asker
    from compliance.filings.documents.reads import CitedDocument
    from compliance.filings.documents.writes import ReceivedFile


ASK_STEP, ANSWER_STEP = "ask", "answer"


@dataclass(frozen=True)
class Question:
    """A question, its deadline, and the answer."""

    text: str
    at: datetime
    until: date | None
    answer: str = ""
    answered: datetime | None = None
    papers: Sequence[CitedDocument] = ()


def questions_on(issue: Issue) -> list[Question]:
    """Return the questions on a released issue, newest first."""
    if issue.released is None:
        return []
    with without_access_scope():
        said = list(
            Decision.objects.filter(issue=issue, step__in=(ASK_STEP, ANSWER_STEP)).order_by(
                "at", "id"
            )
        )
    papers = cited_documents(AnswerPaper.objects.filter(comment__in=said))
    asked: list[Question] = []
    for each in said:
        if each.step == ASK_STEP:
            asked.append(Question(each.reason, each.at, each.until))
        elif asked:
            last = asked.pop()
            shown = papers.get(each.pk, [])
            asked.append(Question(last.text, last.at, last.until, each.reason, each.at, shown))
    return asked[::-1]


def waiting_for_an_answer() -> QuerySet[Issue]:
    """Return released issues in the access scope that wait for the operator's answer."""
    return Issue.objects.filter(
        state=Issue.State.INFORMATION_REQUESTED, released__isnull=False
    ).order_by("pk")


def with_deadline(waiting: QuerySet[Issue]) -> QuerySet[Issue]:
    """Add the deadline of the newest question to issues as `until`."""
    with without_access_scope():
        asked = Decision.objects.filter(issue=OuterRef("pk"), step=ASK_STEP).order_by("-at", "-id")
    return waiting.annotate(until=Subquery(asked.values("until")[:1]))


def answer_question(
    *, issue: Issue, text: str, by: Asker, papers: Sequence[ReceivedFile] = ()
) -> Decision:
    """Answer a question; the issue returns to the agent with a new due date.

    Refuses an empty answer, an answer when no question is open, and what `file_document` refuses.
    """
    require(by, Action.ANSWER_QUESTIONS, issue.party)
    text = text.strip()
    if not text:
        msg = "Write the answer."
        raise RefusedError(msg)
    with transaction.atomic(), without_access_scope():
        kept = (
            Issue.objects.select_for_update(of=("self",)).select_related("party").get(pk=issue.pk)
        )
        last = Decision.objects.filter(issue=kept).order_by("at", "id").last()
        if last is not None and (last.step, last.by, last.reason) == (ANSWER_STEP, by.uuid, text):
            return last  # a double click
        if kept.released is None or kept.state not in ANSWER.of or last is None:
            msg = "Nothing is asked about this issue now: the question was answered or withdrawn."
            raise RefusedError(msg)
        question = Decision.objects.filter(issue=kept, step=ASK_STEP).order_by("at", "id").last()
        answer = Decision(
            issue=kept,
            unit=(question or last).unit,
            step=ANSWER_STEP,
            was=kept.state,
            state=ANSWER.to,
            reason=text,
            moved=abs(kept.over) + abs(kept.under),
            by=by.uuid,
            at=clock.now(),
        )
        answer.save()
        where = f", table {kept.table}" if kept.table else ""
        title = f"Answer to the commission: {describe_title(kept)}{where}"
        for place, paper in enumerate(
            file_operator_documents(
                party=kept.party,
                title=title,
                papers=papers,
                day=clock.today(),
                by=by,
                action=Action.ANSWER_QUESTIONS,
            )
        ):
            AnswerPaper(comment=answer, paper=paper, place=place).save()
        kept.state = ANSWER.to
        kept.save(update_fields=["state"])
        Work.objects.filter(issue=kept).update(
            edition=F("edition") + 1, due=due_from(clock.today(), kept.weight), escalated=None
        )
        record(
            events.ANSWERED,
            by=by,
            about=answer,
            party=kept.party,
            reason=text,
            carries={"issue": str(kept.uuid)},
        )
    return answer
