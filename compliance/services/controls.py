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
from compliance.business_days import last_day
from compliance.choices import OPERATOR_KINDS, PartyKind
from compliance.controls.checks import Judged, problems_of
from compliance.controls.content import TEXTS, Problem, read_content
from compliance.controls.swap import only_games_are_swapped
from compliance.event_types import controls as events
from compliance.models import (
    Approval,
    CompactValue,
    ControlsComment,
    ControlsFiling,
    ControlsVersion,
    ControlsVisit,
    Withdrawal,
)
from compliance.permissions import Action, may
from compliance.selectors.in_force import controls_version_at
from compliance.selectors.law import law_rules
from compliance.selectors.licences import compact_value
from compliance.services.approvals import (
    give_approval,
    is_open,
    step_withdrawal,
    steps_taken,
)
from compliance.services.attach import attach, require_papers
from compliance.services.own_deeds import OWN, is_of
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.walls import belongs_to, memberships_of, without_walls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from compliance.actor import Asker
    from compliance.models import DocumentVersion, Party, Person

State = ControlsFiling.State
OPEN = frozenset({State.SUBMITTED, State.APPROVED_VERBALLY})
SECTIONS = frozenset({*TEXTS, "hours", "cut_off", "hand_in_hours", "void_reasons", "games"})


class NotReadyError(RefusedError):
    """Controls that cannot be submitted yet; `problems` names each place, and its rule."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        first = problems[0]
        more = f" ({len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"{first.place}: {first.says}{more}")


def problems_with(operator: Party, content: Any, on: date) -> list[Problem]:
    """What keeps this content from being submitted, judged as if in effect on a day."""
    read, unreadable = read_content(content)
    if unreadable:
        return unreadable
    tribal = operator.kind == PartyKind.TRIBAL_OPERATION
    cap = None
    if tribal and operator.agency is not None:
        value = compact_value(operator.agency, CompactValue.Rule.WAGER, on)
        cap = value.value if value else None
    return problems_of(Judged(content=read, law=law_rules(), on=on, tribal=tribal, cap=cap))


@transaction.atomic
def submit_controls(
    *,
    operator: Party,
    content: Mapping[str, Any],
    by: Asker,
    games_swap_only: bool = False,
    on: date | None = None,
) -> ControlsVersion:
    """Submit controls as a new version. Refuses: somebody else's, problems, no change, one open."""
    require(by, Action.SUBMIT_CONTROLS, operator)
    if operator.kind not in OPERATOR_KINDS:
        msg = f"{operator} operates no tables."
        raise RefusedError(msg)
    if problems := problems_with(operator, content, on or clock.today()):
        raise NotReadyError(problems)
    with without_walls():
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
    in_force = controls_version_at(operator=operator, at=clock.now())
    if in_force is None or not only_games_are_swapped(in_force.content, content):
        msg = (
            "More than games is changed beside the controls in force, or nothing is in force: "
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
    """Say something of one section, for the operator and its reviewers; it may name papers."""
    if not belongs_to(by, by_party):
        msg = f"You hold no role in {by_party}."
        raise NotAllowedError(msg)
    own = by_party == version.operator
    require(by, Action.COMMENT_ON_CONTROLS if own else Action.REVIEW_CONTROLS, version.operator)
    if section not in SECTIONS:
        msg = f"There is no section {section!r}."
        raise RefusedError(msg)
    if not text.strip():
        msg = "There is nothing in this comment."
        raise RefusedError(msg)
    require_papers(papers, of=[by_party, version.operator], by=by)
    made = ControlsComment(
        version=version,
        section=section,
        text=text,
        by=by.uuid,
        by_party=by_party,
        at=clock.now(),
    )
    made.save()
    attach(made, papers)
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
    """Return a version with what was commented; an answer is due after so many days.

    Refuses a version that is approved by word: that stands until it is withdrawn.
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
    """Approve a version: in writing, or verbally first where only games are swapped.

    Refuses: by somebody of the operator, or who submitted it in another role; a version that was
    decided; a start before it was submitted; a verbal word on more than a swap; what the law of the
    starting day does not allow.
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
    if problems := problems_with(version.operator, version.content, starts):
        raise NotReadyError(problems)
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

    Refuses: one's own, as `approve_controls` does; a version that is approved by word, which would
    stay in force with nobody able to end it: that is withdrawn, after a notice.
    """
    require(by, Action.APPROVE_CONTROLS, version.operator)
    _require_not_own(version, by)
    _move(version, {State.SUBMITTED}, State.DENIED)
    _note_decision(version, State.DENIED, reason, by)


@transaction.atomic
def withdraw_controls(*, version: ControlsVersion, reason: str, by: Asker) -> None:
    """Take back a version that is not decided yet."""
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
    """Take a step of withdrawing approved controls: each approval on which it is open takes it.

    With the last step the version is withdrawn; another one may be submitted.
    Refuses: what `step_withdrawal` refuses; a step that is open on no approval.
    """
    approvals = [each for each in approvals_of(version) if is_open(step, steps_taken(each))]
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
    """The approvals of a version, verbal and written, with the steps of withdrawing them."""
    with without_walls():
        given = Approval.objects.filter(subject=version.uuid, party=version.operator)
        return list(given.prefetch_related("withdrawals"))


@transaction.atomic
def note_visit(
    *, version: ControlsVersion, as_approved: bool, note: str, by: Person
) -> ControlsVisit:
    """Note that an agent saw on a visit whether what was approved is in place."""
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
    """Whether a version is of somebody's own party, or was submitted by them in another role."""
    of_operator = any(each.party_id == version.operator_id for each in memberships_of(by))
    return of_operator or is_of(by, [version.submitted_by])


def _require_not_own(version: ControlsVersion, by: Person) -> None:
    if is_own(version, by):
        raise NotAllowedError(OWN)


def _move(
    version: ControlsVersion, of: set[State] | frozenset[State], to: State, due: date | None = None
) -> None:
    with without_walls():
        moved = ControlsFiling.objects.filter(version=version, state__in=of).update(
            state=to, due=due
        )
        if not moved:
            filing = ControlsFiling.objects.get(version=version)
            stands = filing.get_state_display().lower()
            msg = f"{version} is {stands}: it cannot become {to.label.lower()}."
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
