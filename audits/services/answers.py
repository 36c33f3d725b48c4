"""The operator's answer to what the commission asked about a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F

from audits.event_types import review as events
from audits.findings_in_words import code_in_words
from audits.models import AnswerPaper, Decision, Pattern, Work
from audits.review_steps import ANSWER
from audits.selectors.questions import ANSWER as ANSWER_NAME
from audits.selectors.questions import ASK
from audits.services.own_papers import filed_by_operator
from audits.services.work import due_from
from compliance import clock
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compliance.actor import Asker
    from compliance.services.documents import Paper


def answer_question(
    *, pattern: Pattern, text: str, by: Asker, papers: Sequence[Paper] = ()
) -> Decision:
    """Answer what was asked; the pattern comes back before the agent, due anew.

    Refuses an empty answer, one where nothing is asked, or no longer, and what `file_document`
    refuses.
    """
    require(by, Action.ANSWER_QUESTIONS, pattern.party)
    text = text.strip()
    if not text:
        msg = "Write the answer."
        raise RefusedError(msg)
    with transaction.atomic(), without_walls():
        kept = (
            Pattern.objects.select_for_update(of=("self",))
            .select_related("party")
            .get(pk=pattern.pk)
        )
        last = Decision.objects.filter(pattern=kept).order_by("at", "id").last()
        if last is not None and (last.step, last.by, last.reason) == (ANSWER_NAME, by.uuid, text):
            return last  # a double click
        if kept.released is None or kept.state not in ANSWER.of or last is None:
            msg = "Nothing is asked about this pattern now: the question was answered or withdrawn."
            raise RefusedError(msg)
        question = Decision.objects.filter(pattern=kept, step=ASK).order_by("at", "id").last()
        answer = Decision(
            pattern=kept,
            unit=(question or last).unit,
            step=ANSWER_NAME,
            was=kept.state,
            state=ANSWER.to,
            reason=text,
            moved=abs(kept.over) + abs(kept.under),
            by=by.uuid,
            at=clock.now(),
        )
        answer.save()
        where = f", table {kept.table}" if kept.table else ""
        title = f"Answer to the commission: {code_in_words(kept.code).rstrip('.')}{where}"
        for place, paper in enumerate(
            filed_by_operator(
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
        Work.objects.filter(pattern=kept).update(
            edition=F("edition") + 1, due=due_from(clock.today(), kept.weight), escalated=None
        )
        record(
            events.ANSWERED,
            by=by,
            about=answer,
            party=kept.party,
            reason=text,
            carries={"pattern": str(kept.uuid)},
        )
    return answer
