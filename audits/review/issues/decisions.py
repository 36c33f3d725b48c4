"""Decisions on issues: all use one table of steps, need a reason, and some a second approval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.formats import date_format
from django.utils.timezone import localtime

from audits.commission import unit_of
from audits.replay.findings.models import Issue
from audits.review import events
from audits.review.cases.writes import refer
from audits.review.events import WAIVER_ENDED
from audits.review.issues.assignments import STALE, due_from, work_on
from audits.review.issues.models import Decision, Proposal, ReviewNote, Work
from audits.review.issues.questions import ANSWER_STEP as ANSWERED
from audits.review.issues.steps import CLOSED, STEPS, Step
from audits.review.issues.writes import reopen_issue
from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require, require_not_of
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.record import record

if TYPE_CHECKING:
    from datetime import date
    from uuid import UUID

    from audits.review.cases.models import Case
    from compliance.access.models import Person


@dataclass(frozen=True, kw_only=True)
class StepRequest:
    """A requested step and what goes with it."""

    step: str
    reason: str
    until: date | None = None
    case: Case | None = None
    notice: str = ""
    """What the operator reads about a decision; the reason stays within the commission."""
    confirmed: bool = True
    """Whether the person was shown `warnings_of` and goes on in spite of them."""


def take_step(
    *, issue: Issue, said: StepRequest, by: Person, edition: int | None = None
) -> Decision | Proposal:
    """Take a step on an issue, or propose it if it needs a second approval.

    `edition` is that of the page it was decided on, or None if there was no page. Refuses: a step
    the state does not allow; a missing reason, date or case; a stale page; a person who answered
    for the operator in another role.
    """
    require(by, Action.REVIEW_FINDINGS, issue.party)
    with transaction.atomic(), without_access_scope():
        try:
            kept = overtake(issue, by, edition)
        except RefusedError:
            if (done := _done_a_moment_ago(issue, said, by, edition)) is not None:
                return done
            raise
        _require_no_answer_of(by, kept)
        step = allowed_step(kept, said)
        proposed = Proposal.objects.filter(issue=kept).select_related("by").first()
        if not said.confirmed and (warnings := warnings_of(kept, step, proposed)):
            raise RefusedError(" ".join((*warnings, "To go on, check the box.")))
        if step.closes and needs_second(kept):
            return _propose(kept, step, said, by)
        for proposal in Proposal.objects.select_related("issue__party").filter(issue=kept):
            _drop(proposal, f"Another step was taken instead: {step.label}.", by)
        return _decide(kept, step, said, by=by.uuid, actor=by)


def second(*, proposal: Proposal, by: Person, edition: int | None = None) -> Decision:
    """Approve a colleague's proposal. Refuses the proposer, and anyone who answered on the issue.

    `edition` is that of the page that showed it, since nobody should approve a proposal that an
    answer has made outdated.
    """
    require(by, Action.REVIEW_FINDINGS, proposal.issue.party)
    with transaction.atomic(), without_access_scope():
        kept = _proposed(proposal)
        if kept.by == by:
            msg = "A second person has to decide: you proposed this decision."
            raise NotAllowedError(msg)
        issue = overtake(kept.issue, by, edition)
        _require_no_answer_of(by, issue)
        said = StepRequest(
            step=kept.step,
            reason=kept.reason,
            until=kept.until,
            case=kept.case,
            notice=kept.notice or "",
        )
        step = allowed_step(issue, said)
        kept.delete()
        return _decide(issue, step, said, by=kept.by.uuid, actor=by, seconded_by=by.uuid)


def refuse_proposal(*, proposal: Proposal, reason: str, by: Person) -> None:
    """Reject a proposal, or withdraw the caller's own, with the reason."""
    require(by, Action.REVIEW_FINDINGS, proposal.issue.party)
    with transaction.atomic(), without_access_scope():
        kept = _proposed(proposal)
        overtake(kept.issue, by, None)
        _drop(kept, _required(reason), by)


def note(*, issue: Issue, text: str, by: Person) -> ReviewNote:
    """Add a note to an issue, for the commission alone."""
    require(by, Action.REVIEW_FINDINGS, issue.party)
    if not text.strip():
        msg = "Write what is to be noted."
        raise RefusedError(msg)
    with transaction.atomic(), without_access_scope():
        unit = unit_of(by)
        Work.objects.select_for_update().get(pk=work_on(issue=issue, unit=unit).pk)
        last = ReviewNote.objects.filter(issue=issue).order_by("at", "id").last()
        if last is not None and (last.by, last.text) == (by.uuid, text.strip()):
            return last  # a double click
        noted = ReviewNote(issue=issue, unit=unit, text=text.strip(), by=by.uuid, at=clock.now())
        noted.save()
        record(events.NOTED, by=by, about=noted, party=issue.party)
    return noted


def needs_second(issue: Issue) -> bool:
    """Return whether the amount is too large for one person to close the issue alone."""
    return amount_of(issue) > settings.SECOND_APPROVAL_ABOVE


def amount_of(issue: Issue) -> int:
    """Return the total of overpaid and underpaid cents."""
    return abs(issue.over) + abs(issue.under)


def _require_no_answer_of(by: Person, issue: Issue) -> None:
    """Raise `NotAllowedError` if a person would decide on their own answer for the operator."""
    answers = Decision.objects.filter(issue=issue, step=ANSWERED)
    require_not_of(by, answers.values_list("by", flat=True))


def overtake(issue: Issue, by: Person, edition: int | None) -> Issue:
    """Return the current issue, locked for this change; refuse a page that is out of date."""
    work = work_on(issue=issue, unit=unit_of(by))
    shown = {} if edition is None else {"edition": edition}
    if not Work.objects.filter(pk=work.pk, **shown).update(edition=F("edition") + 1):
        raise RefusedError(STALE)
    return Issue.objects.select_related("party").get(pk=issue.pk)


def _done_a_moment_ago(
    issue: Issue, said: StepRequest, by: Person, edition: int | None
) -> Decision | Proposal | None:
    """Return the result of the same form if it was just sent unchanged, as by a double click."""
    work = Work.objects.filter(issue=issue, edition=(edition or 0) + 1).first()
    if edition is None or work is None:
        return None
    last = Decision.objects.filter(issue=issue).order_by("at", "id").last()
    proposed = Proposal.objects.filter(issue=issue).select_related("by").first()
    for made, whose in ((proposed, proposed and proposed.by.uuid), (last, last and last.by)):
        if made is not None and (whose, made.step, made.reason) == (
            by.uuid,
            said.step,
            said.reason.strip(),
        ):
            return made
    return None


def allowed_step(issue: Issue, said: StepRequest) -> Step:
    """Return the requested step. Refuses what `take_step` refuses for the current issue."""
    step = STEPS.get(said.step)
    if step is None or issue.state not in step.of:
        label = f"“{step.label}”" if step else "This step"
        msg = f"{label} does not go from “{issue.get_state_display()}”."
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
    if said.case is not None and said.case.party_id != issue.party_id:
        msg = f"{said.case} is on {said.case.party}, this issue on {issue.party}."
        raise RefusedError(msg)
    if step.closes and not issue.findings:
        msg = "No findings are left to decide. An issue without findings closes itself."
        raise RefusedError(msg)
    _required(said.reason)
    return step


def warnings_of(issue: Issue, step: Step, proposal: Proposal | None) -> list[str]:
    """Return what a person should know before taking a step: what it would cut short or skip."""
    warnings = []
    if proposal is not None:
        label = STEPS[proposal.step].label
        warnings.append(f"{proposal.by} proposed “{label}”. This step ends the proposal.")
    if not step.closes:
        return warnings
    if issue.state == Issue.State.INFORMATION_REQUESTED:
        warnings.append(f"{issue.party} has not answered the question yet.")
    strays = issue.rounds - issue.explained
    if issue.diagnosis and strays > 0:
        which = "1 round" if strays == 1 else f"{strays:,} rounds"
        warnings.append(f"The cause does not explain {which} of {issue.rounds:,}.")
    return warnings


def _required(reason: str) -> str:
    if not reason.strip():
        msg = "Say why: a reason is required."
        raise RefusedError(msg)
    return reason.strip()


def _propose(issue: Issue, step: Step, said: StepRequest, by: Person) -> Proposal:
    try:
        with transaction.atomic():
            proposal = Proposal.objects.create(
                issue=issue,
                unit=unit_of(by),
                step=said.step,
                reason=said.reason.strip(),
                notice=said.notice.strip() or None,
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
        about=issue,
        party=issue.party,
        reason=proposal.reason,
        carries={"state": step.to.value},
    )
    return proposal


def _proposed(proposal: Proposal) -> Proposal:
    found = (
        Proposal.objects.select_related("issue__party", "by", "case").filter(pk=proposal.pk).first()
    )
    if found is None:
        msg = "This proposal was decided on, or taken back, meanwhile."
        raise RefusedError(msg)
    return found


def _drop(proposal: Proposal, reason: str, by: Person) -> None:
    """End a proposal without a decision."""
    issue = proposal.issue
    proposal.delete()
    issue.proposal = proposal  # its notification names who proposed it
    record(
        events.PROPOSAL_REFUSED,
        by=by,
        about=issue,
        party=issue.party,
        reason=reason,
        carries={"state": STEPS[proposal.step].to.value},
    )


def _set_due(issue: Issue, step: Step, said: StepRequest) -> None:
    """Set the due date: a question's deadline, or for a reversed decision a new one from today."""
    due = None
    if step.to == Issue.State.INFORMATION_REQUESTED:
        due = said.until
    elif issue.state in CLOSED:
        due = due_from(clock.today(), issue.weight)
    if due is not None:
        Work.objects.filter(issue=issue).update(due=due, escalated=None)


def _decide(
    issue: Issue,
    step: Step,
    said: StepRequest,
    *,
    by: UUID,
    actor: Person,
    seconded_by: UUID | None = None,
) -> Decision:
    decision = Decision(
        issue=issue,
        unit=unit_of(actor),
        step=said.step,
        was=issue.state,
        state=step.to,
        reason=said.reason.strip(),
        notice=(said.notice.strip() or None) if step.closes else None,
        until=said.until if step.wants_date else None,
        case=said.case if step.wants_case else None,
        moved=amount_of(issue),
        by=by,
        seconded_by=seconded_by,
        at=clock.now(),
    )
    decision.save()
    _set_due(issue, step, said)
    issue.state = step.to
    issue.open = not step.closes
    issue.changed_since = ""
    issue.waived_until = said.until if step.to == Issue.State.WAIVED else None
    try:
        with transaction.atomic():
            issue.save(update_fields=["state", "open", "changed_since", "waived_until"])
    except IntegrityError:
        msg = "It happened again since: decide on the newer issue, which names this one."
        raise RefusedError(msg) from None
    if step.wants_case and said.case is not None:
        refer(case=said.case, issue=issue, by=actor)
    record(
        events.DECIDED,
        by=actor,
        about=decision,
        party=issue.party,
        reason=decision.reason,
        carries={"issue": str(issue.uuid), "was": decision.was, "state": step.to.value},
    )
    return decision


AT_ONCE = 200


def end_waivers() -> int:
    """Return issues with an expired waiver to the queue; return how many."""
    with without_access_scope():
        ended = Issue.objects.filter(waived_until__lt=clock.today()).order_by("waived_until")
        return sum(_end(issue) for issue in ended.select_related("party")[:AT_ONCE])


@transaction.atomic
def _end(issue: Issue) -> bool:
    """End one waiver, allowing for concurrent calls; return whether this call ended it."""
    until = issue.waived_until
    standing = Issue.objects.filter(pk=issue.pk, waived_until=until)
    if until is None or not standing.update(waived_until=None):
        return False
    issue.waived_until = None
    waived = Decision.objects.filter(issue=issue, step="waive").latest("at", "id")
    reopen_issue(
        issue=issue,
        says=f"Its waiver ended on {date_format(until, 'F j, Y')}. "
        f"It was waived on {date_format(localtime(waived.at), 'F j, Y')}: “{waived.reason}”",
    )
    record(
        WAIVER_ENDED,
        by=SYSTEM,
        about=issue,
        party=issue.party,
        carries={"until": until.isoformat()},
    )
    return True
