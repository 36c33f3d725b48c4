"""Questions to an operator about an issue, and its answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F, OuterRef, Subquery

from audits.commission import commission_unit
from audits.replay.findings.models import Issue
from audits.replay.findings.wording import describe_title
from audits.review import events
from audits.review.issues.assignments import due_from, work_on
from audits.review.issues.models import AnswerPaper, Decision, Work
from audits.review.issues.steps import ANSWER, CLOSED, OUTCOMES, STEPS
from audits.review.operator_documents import file_operator_documents
from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.filings.documents.reads import cited_documents
from compliance.ui.filters import day as show_day

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
        steps = list(
            Decision.objects.filter(issue=issue, step__in=(ASK_STEP, ANSWER_STEP)).order_by(
                "at", "id"
            )
        )
    papers = cited_documents(AnswerPaper.objects.filter(comment__in=steps))
    asked: list[Question] = []
    for each in steps:
        if each.step == ASK_STEP:
            asked.append(Question(each.reason, each.at, each.until))
        elif asked:
            last = asked.pop()
            shown = papers.get(each.pk, [])
            asked.append(Question(last.text, last.at, last.until, each.reason, each.at, shown))
    return asked[::-1]


@dataclass(frozen=True)
class Message:
    """An entry of the thread between the commission and an operator about a released issue."""

    at: datetime
    is_ours: bool
    """Whether the operator wrote it."""
    heading: str
    text: str = ""
    documents: Sequence[CitedDocument] = ()


def thread_of(issue: Issue) -> list[Message]:
    """Return what the commission and the operator told each other, newest first.

    An agent's reasons are internal: of a decision, the operator reads what it came to and the
    message that goes with it.
    """
    if issue.released is None:
        return []
    with without_access_scope():
        steps = list(Decision.objects.filter(issue=issue).order_by("at", "id"))
    documents = cited_documents(AnswerPaper.objects.filter(comment__in=steps))
    thread = [Message(issue.released, is_ours=False, heading="Released to you")]
    for each in steps:
        if each.step == ANSWER_STEP:
            shown = documents.get(each.pk, [])
            thread.append(Message(each.at, True, "You answered", each.reason, shown))  # noqa: FBT003
        elif each.step == ASK_STEP:
            until = f", to be answered by {show_day(each.until)}" if each.until else ""
            thread.append(
                Message(each.at, is_ours=False, heading=f"Question{until}", text=each.reason)
            )
        elif each.step in STEPS and (STEPS[each.step].closes or each.was in CLOSED):
            says = OUTCOMES[Issue.State(each.state)].says
            thread.append(Message(each.at, is_ours=False, heading=says, text=each.notice or ""))
    return sorted(thread, key=lambda each: each.at, reverse=True)


def is_question_open(issue: Issue) -> bool:
    """Return whether the commission waits for the operator's answer on a released issue."""
    return issue.released is not None and issue.state in ANSWER.of


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
    """Answer a question, or say something about a released issue without being asked.

    An answer to a question returns the issue to the agent with a new due date. Refuses an empty
    answer, an issue that is not released, and what `file_document` refuses.
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
        if kept.released is None:
            msg = "This issue was not released to you."
            raise RefusedError(msg)
        is_asked = kept.state in ANSWER.of
        answer = Decision(
            issue=kept,
            unit=work_on(issue=kept, unit=commission_unit()).unit,
            step=ANSWER_STEP,
            was=kept.state,
            state=ANSWER.to if is_asked else kept.state,
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
        changes: dict[str, Any] = {"edition": F("edition") + 1}
        if is_asked:
            kept.state = ANSWER.to
            kept.save(update_fields=["state"])
            changes |= {"due": due_from(clock.today(), kept.weight), "escalated": None}
        Work.objects.filter(issue=kept).update(**changes)
        record(
            events.ANSWERED,
            by=by,
            about=answer,
            party=kept.party,
            reason=text,
            carries={"issue": str(kept.uuid)},
        )
    return answer
