"""Internal controls: drafted, submitted, returned or approved, verified on a visit, withdrawn.

WAC 230-15-440: a change is proposed in writing and approved in writing before it is made; a swap of
games may be approved verbally first and is verified at the next visit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from compliance import clock
from compliance.access.permissions import OPERATOR_KINDS, Action, may
from compliance.access.reads import OWN, is_of, require
from compliance.access.scope import belongs_to, memberships_of, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.record import record
from compliance.filings.controls import events
from compliance.filings.controls.checks import only_games_are_swapped
from compliance.filings.controls.content import SECTIONS as PARTS
from compliance.filings.controls.content import Problem
from compliance.filings.controls.models import (
    ControlsAttachment,
    ControlsComment,
    ControlsFiling,
    ControlsVersion,
    ControlsVisit,
)
from compliance.filings.controls.reads import (
    chosen_rule_versions,
    find_controls_version,
    find_problems,
)
from compliance.filings.documents.writes import require_citable
from compliance.filings.requests.approvals import (
    give_approval,
    is_step_open,
    step_withdrawal,
    steps_taken,
)
from compliance.filings.requests.conditions import find_blocking
from compliance.filings.requests.models import Approval, Withdrawal
from compliance.law.business_days import last_day

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from compliance.access.models import Party, Person
    from compliance.access.scope import Asker
    from compliance.filings.documents.models import DocumentVersion


State = ControlsFiling.State
OPEN = frozenset({State.SUBMITTED, State.APPROVED_VERBALLY})
SECTIONS = frozenset({*PARTS, "games"})


class NotReadyError(RefusedError):
    """Controls that cannot be submitted yet; `problems` names each place and its rule."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        first = problems[0]
        more = f" ({len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"{first.place}: {first.says}{more}")


@transaction.atomic
def submit_controls(
    *,
    operator: Party,
    content: Mapping[str, Any],
    by: Asker,
    games_swap_only: bool = False,
    on: date | None = None,
) -> ControlsVersion:
    """Submit a new version; reject one with problems, without changes, or while one is open."""
    require(by, Action.SUBMIT_CONTROLS, operator)
    if operator.kind not in OPERATOR_KINDS:
        msg = f"{operator} operates no tables."
        raise RefusedError(msg)
    if problems := find_problems(operator, content, on or clock.today()):
        raise NotReadyError(problems)
    with without_access_scope():
        if ControlsFiling.objects.filter(version__operator=operator, state__in=OPEN).exists():
            msg = "A version is under review. Withdraw it, or wait for the decision."
            raise RefusedError(msg)
        newest = operator.controls_versions.order_by("number").last()
        if newest is not None and newest.content == dict(content):
            msg = f"This is version {newest.number} again: nothing has changed."
            raise RefusedError(msg)
        if games_swap_only:
            _require_swap(operator, content)
        number = operator.controls_versions.aggregate(most=Max("number"))["most"] or 0
    version = ControlsVersion(
        operator=operator,
        number=number + 1,
        content=dict(content),
        games_swap_only=games_swap_only,
        submitted_by=by.uuid,
        at=clock.now(),
    )
    version.save()
    ControlsFiling.objects.create(version=version)
    record(
        events.SUBMITTED, by=by, party=operator, about=version, carries={"number": version.number}
    )
    return version


def _require_swap(operator: Party, content: Mapping[str, Any]) -> None:
    in_effect = find_controls_version(operator=operator, at=clock.now())
    if in_effect is None or not only_games_are_swapped(in_effect.content, content):
        msg = (
            "More than games is changed beside the controls in effect, or nothing is in effect: "
            "this is no swap of games (WAC 230-15-440(2)). Submit it without that mark."
        )
        raise RefusedError(msg)


@transaction.atomic
def comment_on_controls(
    *,
    version: ControlsVersion,
    section: str,
    text: str,
    by: Asker,
    by_party: Party,
    papers: Sequence[DocumentVersion] = (),
) -> ControlsComment:
    """Comment on one section, visible to the operator and its reviewers; may cite documents."""
    if not belongs_to(by, by_party):
        msg = f"You have no role in {by_party}."
        raise NotAllowedError(msg)
    own = by_party == version.operator
    require(by, Action.COMMENT_ON_CONTROLS if own else Action.REVIEW_CONTROLS, version.operator)
    if section not in SECTIONS:
        msg = f"There is no section {section!r}."
        raise RefusedError(msg)
    if not text.strip():
        msg = "There is nothing in this comment."
        raise RefusedError(msg)
    require_citable(papers, of=[by_party, version.operator], by=by)
    made = ControlsComment(
        version=version,
        section=section,
        text=text,
        by=by.uuid,
        by_party=by_party,
        at=clock.now(),
    )
    made.save()
    for place, paper in enumerate(papers):
        ControlsAttachment(comment=made, paper=paper, place=place).save()
    record(
        events.COMMENTED,
        by=by,
        party=version.operator,
        about=made,
        carries={"section": section, "text": text},
    )
    return made


@transaction.atomic
def return_controls(*, version: ControlsVersion, reason: str, days: int, by: Person) -> None:
    """Return a version with comments; the operator must answer within `days`.

    Rejects a version that was approved verbally: it remains in effect until it is withdrawn.
    """
    require(by, Action.REVIEW_CONTROLS, version.operator)
    due = last_day(clock.today(), days)
    _move(version, {State.SUBMITTED}, State.RETURNED, due=due)
    record(
        events.RETURNED,
        by=by,
        party=version.operator,
        about=version,
        reason=reason,
        carries={"number": version.number, "due": due.isoformat()},
    )


@transaction.atomic
def approve_controls(
    *,
    version: ControlsVersion,
    seen: str,
    in_effect_from: datetime,
    by: Person,
    verbally: bool = False,
    note: str = "",
) -> Approval:
    """Approve a version: in writing, or verbally first if only games are swapped.

    Rejects an approver from the operator, or who submitted the version in another role; a version
    already decided; a start before the submission; a verbal approval of more than a swap; content
    that violates the law of the starting day; and a game with a condition that must be met first.
    """
    require(by, Action.APPROVE_CONTROLS, version.operator)
    _require_not_own(version, by)
    held = memberships_of(by)
    if verbally and not version.games_swap_only:
        msg = "Only a swap of games may be approved verbally first (WAC 230-15-440(2))."
        raise RefusedError(msg)
    if in_effect_from < version.at:
        msg = "A version takes effect no earlier than it was submitted (WAC 230-15-440(1))."
        raise RefusedError(msg)
    starts = timezone.localdate(in_effect_from)
    if problems := find_problems(version.operator, version.content, starts):
        raise NotReadyError(problems)
    if unmet := [why for each in chosen_rule_versions(version) for why in find_blocking(each)]:
        msg = f"A condition of the game's approval comes first. {' '.join(unmet)}"
        raise RefusedError(msg)
    to = State.APPROVED_VERBALLY if verbally else State.APPROVED
    _move(version, {State.SUBMITTED} if verbally else OPEN, to)
    approval = give_approval(
        kind=Approval.Kind.VERBAL if verbally else Approval.Kind.COMMISSION,
        path="",
        subject=version,
        seen=seen,
        party=version.operator,
        by=by,
        by_party=next(
            each.party for each in held if may([each], Action.APPROVE_CONTROLS, version.operator)
        ),
        in_effect_from=in_effect_from,
        note=note,
    )
    _note_decision(version, to, note or to.label, by)
    return approval


@transaction.atomic
def deny_controls(*, version: ControlsVersion, reason: str, by: Person) -> None:
    """Deny a version, with the reasons.

    Rejects one's own version, as `approve_controls` does, and a version that was approved verbally,
    which would remain in effect without anyone able to end it: it must be withdrawn, after a
    notice.
    """
    require(by, Action.APPROVE_CONTROLS, version.operator)
    _require_not_own(version, by)
    _move(version, {State.SUBMITTED}, State.DENIED)
    _note_decision(version, State.DENIED, reason, by)


@transaction.atomic
def withdraw_controls(*, version: ControlsVersion, reason: str, by: Asker) -> None:
    """Withdraw a version that has not been decided."""
    require(by, Action.SUBMIT_CONTROLS, version.operator)
    _move(version, {State.SUBMITTED, State.RETURNED}, State.WITHDRAWN)
    _note_decision(version, State.WITHDRAWN, reason, by)


@transaction.atomic
def step_controls_withdrawal(
    *,
    version: ControlsVersion,
    step: Withdrawal.Step,
    reason: str,
    by: Person,
    in_effect_from: datetime | None = None,
) -> list[Withdrawal]:
    """Take a step of withdrawing approved controls, on each approval that allows it.

    The last step withdraws the version, and another one may be submitted. Rejects what
    `step_withdrawal` rejects, and a step that no approval allows.
    """
    approvals = [each for each in approvals_of(version) if is_step_open(step, steps_taken(each))]
    if not approvals:
        msg = (
            f"The withdrawal of {version} cannot be {step.label.lower()} now: only what is "
            "approved is withdrawn, a notice comes first, and each step is taken once."
        )
        raise RefusedError(msg)
    made = [
        step_withdrawal(
            approval=each, step=step, reason=reason, by=by, in_effect_from=in_effect_from
        )
        for each in approvals
    ]
    if step == Withdrawal.Step.FINAL:
        _move(version, {State.APPROVED, State.APPROVED_VERBALLY}, State.WITHDRAWN)
        _note_decision(version, State.WITHDRAWN, reason, by)
    return made


def approvals_of(version: ControlsVersion) -> list[Approval]:
    """Return the approvals of a version, verbal and written, with their withdrawal steps."""
    with without_access_scope():
        given = Approval.objects.filter(subject=version.uuid, party=version.operator)
        return list(given.prefetch_related("withdrawals"))


@transaction.atomic
def note_visit(
    *, version: ControlsVersion, as_approved: bool, note: str, by: Person
) -> ControlsVisit:
    """Record whether an agent found the approved version in place on a visit."""
    require(by, Action.VISIT, version.operator)
    if not as_approved and not note.strip():
        msg = "Say what was not as approved."
        raise RefusedError(msg)
    visit = ControlsVisit(
        version=version, as_approved=as_approved, note=note, by=by.uuid, at=clock.now()
    )
    visit.save()
    record(
        events.VISITED,
        by=by,
        party=version.operator,
        about=visit,
        carries={
            "number": version.number,
            "outcome": "as approved" if as_approved else "not as approved",
        },
    )
    return visit


def is_own(version: ControlsVersion, by: Person) -> bool:
    """Return whether a version is the person's own: their party's, or submitted by them."""
    of_operator = any(each.party_id == version.operator_id for each in memberships_of(by))
    return of_operator or is_of(by, [version.submitted_by])


def _require_not_own(version: ControlsVersion, by: Person) -> None:
    if is_own(version, by):
        raise NotAllowedError(OWN)


def _move(
    version: ControlsVersion, of: set[State] | frozenset[State], to: State, due: date | None = None
) -> None:
    with without_access_scope():
        moved = ControlsFiling.objects.filter(version=version, state__in=of).update(
            state=to, due=due
        )
        if not moved:
            filing = ControlsFiling.objects.get(version=version)
            state = filing.get_state_display().lower()
            msg = f"{version} is {state}: it cannot become {to.label.lower()}."
            if filing.state == State.APPROVED_VERBALLY:
                msg += " What was approved ends by its withdrawal, which begins with a notice."
            raise RefusedError(msg)


def _note_decision(version: ControlsVersion, state: State, reason: str, by: Asker) -> None:
    if not reason.strip():
        msg = "Say why."
        raise RefusedError(msg)
    record(
        events.DECIDED,
        by=by,
        party=version.operator,
        about=version,
        reason=reason,
        carries={"number": version.number, "state": state.label.lower()},
    )
