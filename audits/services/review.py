"""Decisions on patterns: by one table of steps, with a reason, some under four eyes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F

from audits.event_types import review as events
from audits.models import Decision, Pattern, Proposal, ReviewNote, Work
from audits.review_steps import CLOSED, STEPS, Step
from audits.selectors.questions import ANSWER as ANSWERED
from audits.services.cases import refer
from audits.services.work import STALE, due_from, unit_of, work_on
from compliance import clock
from compliance.permissions import Action
from compliance.services.own_deeds import require_not_of
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from datetime import date
    from uuid import UUID

    from audits.models import Case
    from compliance.models import Person


@dataclass(frozen=True, kw_only=True)
class Said:
    """What goes with a step."""

    step: str
    reason: str
    until: date | None = None
    case: Case | None = None


def take_step(
    *, pattern: Pattern, said: Said, by: Person, edition: int | None = None
) -> Decision | Proposal:
    """Take a step on a pattern, or propose it where it needs a second person.

    `edition` is that of the page it was decided on; None where no page was shown.
    Refuses: a step the state does not allow, a missing reason, date or case, a stale page; whoever
    answered for the operator, in another role.
    """
    require(by, Action.REVIEW_FINDINGS, pattern.party)
    with transaction.atomic(), without_walls():
        try:
            kept = _overtake(pattern, by, edition)
        except RefusedError:
            if (done := _done_a_moment_ago(pattern, said, by, edition)) is not None:
                return done
            raise
        _require_no_answer_of(by, kept)
        step = allowed_step(kept, said)
        if step.closes and needs_second(kept):
            return _propose(kept, step, said, by)
        for proposal in Proposal.objects.select_related("pattern__party").filter(pattern=kept):
            _drop(proposal, f"Another step was taken instead: {step.label}.", by)
        return _decide(kept, step, said, by=by.uuid, actor=by)


def second(*, proposal: Proposal, by: Person, edition: int | None = None) -> Decision:
    """Decide what somebody else proposed. Refuses whoever proposed it, or answered about it.

    `edition` is that of the page that showed it: nobody agrees to what an answer has overtaken.
    """
    require(by, Action.REVIEW_FINDINGS, proposal.pattern.party)
    with transaction.atomic(), without_walls():
        kept = _proposed(proposal)
        if kept.by == by:
            msg = "Four eyes: somebody other than who proposed it decides."
            raise NotAllowedError(msg)
        pattern = _overtake(kept.pattern, by, edition)
        _require_no_answer_of(by, pattern)
        said = Said(step=kept.step, reason=kept.reason, until=kept.until, case=kept.case)
        step = allowed_step(pattern, said)
        kept.delete()
        return _decide(pattern, step, said, by=kept.by.uuid, actor=by, seconded_by=by.uuid)


def refuse_proposal(*, proposal: Proposal, reason: str, by: Person) -> None:
    """Do not agree to what was proposed, or take one's own back, with the reason."""
    require(by, Action.REVIEW_FINDINGS, proposal.pattern.party)
    with transaction.atomic(), without_walls():
        kept = _proposed(proposal)
        _overtake(kept.pattern, by, None)
        _drop(kept, _required(reason), by)


def note(*, pattern: Pattern, text: str, by: Person) -> ReviewNote:
    """Note something on a pattern, for the commission alone."""
    require(by, Action.REVIEW_FINDINGS, pattern.party)
    if not text.strip():
        msg = "Write what is to be noted."
        raise RefusedError(msg)
    with transaction.atomic(), without_walls():
        unit = unit_of(by)
        Work.objects.select_for_update().get(pk=work_on(pattern=pattern, unit=unit).pk)
        last = ReviewNote.objects.filter(pattern=pattern).order_by("at", "id").last()
        if last is not None and (last.by, last.text) == (by.uuid, text.strip()):
            return last  # a double click
        noted = ReviewNote(
            pattern=pattern, unit=unit, text=text.strip(), by=by.uuid, at=clock.now()
        )
        noted.save()
        record(events.NOTED, by=by, about=noted, party=pattern.party)
    return noted


def needs_second(pattern: Pattern) -> bool:
    """Whether so much money moved that nobody closes it alone."""
    return moved(pattern) > settings.FOUR_EYES_ABOVE


def moved(pattern: Pattern) -> int:
    """Cents that went wrong, both ways together."""
    return abs(pattern.over) + abs(pattern.under)


def _require_no_answer_of(by: Person, pattern: Pattern) -> None:
    """Raise `NotAllowedError` where somebody decides on what they answered for the operator."""
    answers = Decision.objects.filter(pattern=pattern, step=ANSWERED)
    require_not_of(by, answers.values_list("by", flat=True))


def _overtake(pattern: Pattern, by: Person, edition: int | None) -> Pattern:
    """The pattern as it stands, held for this change; refuses a page that was overtaken."""
    work = work_on(pattern=pattern, unit=unit_of(by))
    shown = {} if edition is None else {"edition": edition}
    if not Work.objects.filter(pk=work.pk, **shown).update(edition=F("edition") + 1):
        raise RefusedError(STALE)
    return Pattern.objects.select_related("party").get(pk=pattern.pk)


def _done_a_moment_ago(
    pattern: Pattern, said: Said, by: Person, edition: int | None
) -> Decision | Proposal | None:
    """What a form did that is sent once more, unchanged, by a double click."""
    work = Work.objects.filter(pattern=pattern, edition=(edition or 0) + 1).first()
    if edition is None or work is None:
        return None
    last = Decision.objects.filter(pattern=pattern).order_by("at", "id").last()
    proposed = Proposal.objects.filter(pattern=pattern).select_related("by").first()
    for made, whose in ((proposed, proposed and proposed.by.uuid), (last, last and last.by)):
        if made is not None and (whose, made.step, made.reason) == (
            by.uuid,
            said.step,
            said.reason.strip(),
        ):
            return made
    return None


def allowed_step(pattern: Pattern, said: Said) -> Step:
    """The step that is asked for. Refuses what `take_step` refuses of a pattern as it stands."""
    step = STEPS.get(said.step)
    if step is None or pattern.state not in step.of:
        label = f"“{step.label}”" if step else "This step"
        msg = f"{label} does not go from “{pattern.get_state_display()}”."
        raise RefusedError(msg)
    if step.wants_date and said.until is None:
        msg = f"{step.label}: a date is missing ({step.wants_date})."
        raise RefusedError(msg)
    if step.wants_date and said.until is not None and said.until <= clock.today():
        msg = f"{step.label}: the date ({step.wants_date}) lies in the past."
        raise RefusedError(msg)
    if step.wants_case and said.case is None:
        msg = f"{step.label}: choose the case."
        raise RefusedError(msg)
    if said.case is not None and said.case.party_id != pattern.party_id:
        msg = f"{said.case} is on {said.case.party}, this pattern on {pattern.party}."
        raise RefusedError(msg)
    _required(said.reason)
    return step


def _required(reason: str) -> str:
    if not reason.strip():
        msg = "Say why: a reason is required."
        raise RefusedError(msg)
    return reason.strip()


def _propose(pattern: Pattern, step: Step, said: Said, by: Person) -> Proposal:
    try:
        with transaction.atomic():
            proposal = Proposal.objects.create(
                pattern=pattern,
                unit=unit_of(by),
                step=said.step,
                reason=said.reason.strip(),
                until=said.until,
                case=said.case,
                by=by,
                at=clock.now(),
            )
    except IntegrityError:
        msg = "A decision is proposed already: agree to it, or refuse it first."
        raise RefusedError(msg) from None
    record(
        events.PROPOSED,
        by=by,
        about=pattern,
        party=pattern.party,
        reason=proposal.reason,
        carries={"state": step.to.value},
    )
    return proposal


def _proposed(proposal: Proposal) -> Proposal:
    found = (
        Proposal.objects.select_related("pattern__party", "by", "case")
        .filter(pk=proposal.pk)
        .first()
    )
    if found is None:
        msg = "This proposal was decided on, or taken back, meanwhile."
        raise RefusedError(msg)
    return found


def _drop(proposal: Proposal, reason: str, by: Person) -> None:
    """End a proposal without a decision, and say so in the log while it still says whose it was."""
    record(
        events.PROPOSAL_REFUSED,
        by=by,
        about=proposal.pattern,
        party=proposal.pattern.party,
        reason=reason,
        carries={"state": STEPS[proposal.step].to.value},
    )
    proposal.delete()


def _set_due(pattern: Pattern, step: Step, said: Said) -> None:
    """A question is due when the operator's time is over; what is taken back, from today on."""
    due = None
    if step.to == Pattern.State.INFORMATION_REQUESTED:
        due = said.until
    elif pattern.state in CLOSED:
        due = due_from(clock.today(), pattern.weight)
    if due is not None:
        Work.objects.filter(pattern=pattern).update(due=due, escalated=None)


def _decide(
    pattern: Pattern,
    step: Step,
    said: Said,
    *,
    by: UUID,
    actor: Person,
    seconded_by: UUID | None = None,
) -> Decision:
    decision = Decision(
        pattern=pattern,
        unit=unit_of(actor),
        step=said.step,
        was=pattern.state,
        state=step.to,
        reason=said.reason.strip(),
        until=said.until if step.wants_date else None,
        case=said.case if step.wants_case else None,
        moved=moved(pattern),
        by=by,
        seconded_by=seconded_by,
        at=clock.now(),
    )
    decision.save()
    _set_due(pattern, step, said)
    pattern.state = step.to
    pattern.open = not step.closes
    pattern.changed_since = ""
    pattern.waived_until = said.until if step.to == Pattern.State.WAIVED else None
    try:
        with transaction.atomic():
            pattern.save(update_fields=["state", "open", "changed_since", "waived_until"])
    except IntegrityError:
        msg = "It happened again since: decide on the newer pattern, which names this one."
        raise RefusedError(msg) from None
    if step.wants_case and said.case is not None:
        refer(case=said.case, pattern=pattern, by=actor)
    record(
        events.DECIDED,
        by=actor,
        about=decision,
        party=pattern.party,
        reason=decision.reason,
        carries={"pattern": str(pattern.uuid), "was": decision.was, "state": step.to.value},
    )
    return decision
