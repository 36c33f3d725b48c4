"""Saved filters, and actions on many issues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from audits.commission import unit_of
from audits.replay.findings.models import CAUSE, Issue
from audits.review.issues.assignments import DECIDED, assign, claim, in_queues
from audits.review.issues.decisions import (
    StepRequest,
    allowed_step,
    needs_second,
    take_step,
    warnings_of,
)
from audits.review.issues.models import Proposal
from audits.review.queue.models import SavedFilter
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.access.models import Party, Person


MAXIMUM_FILTERS = 50


@transaction.atomic
def save_filter(*, name: str, of_list: str, query: str, shared: bool, by: Person) -> SavedFilter:
    """Save a filter for a person or their unit, replacing one of the same name.

    Refuses more filters than a person can keep track of.
    """
    require(by, Action.SEE_FINDINGS)
    own = SavedFilter.objects.filter(person=by, list=of_list)
    if own.exclude(name=name).count() >= MAXIMUM_FILTERS:
        msg = f"You keep {MAXIMUM_FILTERS} filters here already. Remove one first."
        raise RefusedError(msg)
    return SavedFilter.objects.update_or_create(
        person=by,
        list=of_list,
        name=name,
        defaults={"query": query, "unit": unit_of(by) if shared else None},
    )[0]


@transaction.atomic
def remove_filter(*, uuid: UUID, by: Person) -> None:
    """Remove the caller's own filter. Refuses another's, since only its owner may remove it."""
    if not SavedFilter.objects.filter(uuid=uuid, person=by).delete()[0]:
        msg = "This filter was removed before, or belongs to a colleague."
        raise RefusedError(msg)


def filters_of(person: Person, unit: Party, of_list: str) -> QuerySet[SavedFilter]:
    """Return a person's filters of a list, and those shared with their unit."""
    return SavedFilter.objects.filter(Q(person=person) | Q(unit=unit), list=of_list).select_related(
        "person"
    )


MAXIMUM_ISSUES = 200
"""As many as a person can look through before confirming."""


class Act(Protocol):
    """An action on many issues, one by one."""

    def foresee(self, issue: Issue, by: Person) -> str:
        """Describe the result for an issue. Refuses what `do` would refuse in its current state."""

    def do(self, issue: Issue, edition: int, by: Person) -> object:
        """Perform the action, unless the issue changed since it was shown."""


class Claim:
    """Assign issues to the caller."""

    def foresee(self, issue: Issue, by: Person) -> str:
        """Refuse issues that are decided or assigned."""
        if not issue.open:
            raise RefusedError(DECIDED)
        holder = issue.work.assigned_to
        if holder is not None:
            msg = "It is assigned to you already." if holder == by else f"{holder} has it."
            raise RefusedError(msg)
        return "in your queue"

    def do(self, issue: Issue, edition: int, by: Person) -> object:
        """Assign an unassigned issue; anyone who is too late learns who has it."""
        del edition  # a claim takes only what is free
        return claim(issue=issue, by=by)


@dataclass(frozen=True)
class Give:
    """Assign issues to a person, or to nobody."""

    to: Person | None
    any_queue: bool
    """Whether the user may also assign issues that are others' or unassigned."""
    note: str = ""

    def foresee(self, issue: Issue, by: Person) -> str:
        """Describe the reassignment; only a supervisor may assign others' issues."""
        holder = issue.work.assigned_to
        if holder == self.to:
            msg = f"It is {'assigned to ' + str(self.to) if self.to else 'free'} already."
            raise RefusedError(msg)
        if holder != by and not self.any_queue:
            whose = f"{holder} has it" if holder else "Nobody has it"
            msg = f"{whose}: only a supervisor gives away what is not in one's own queue."
            raise RefusedError(msg)
        return f"assigned to {self.to}" if self.to else "unassigned"

    def do(self, issue: Issue, edition: int, by: Person) -> object:
        """Assign the issue and record it in the log."""
        return assign(issue=issue, to=self.to, by=by, edition=edition, note=self.note)


@dataclass(frozen=True)
class Decide:
    """Take one step with one reason."""

    said: StepRequest

    def foresee(self, issue: Issue, by: Person) -> str:
        """Describe the resulting state, either now or after a second approval."""
        del by
        step = allowed_step(issue, self.said)
        proposal = getattr(issue, "proposal", None)
        if not self.said.confirmed and (warnings := warnings_of(issue, step, proposal)):
            raise RefusedError(" ".join(warnings))
        becomes = Issue.State(step.to).label
        if step.closes and needs_second(issue):
            if issue.is_proposed:  # type: ignore[attr-defined]
                msg = "A decision is proposed already: agree to it, or refuse it first."
                raise RefusedError(msg)
            return f"proposed: {becomes}; a second person decides"
        if not step.closes and not issue.open and issue.is_open_again:  # type: ignore[attr-defined]
            msg = "It happened again since: decide on the newer issue, which names this one."
            raise RefusedError(msg)
        return becomes

    def do(self, issue: Issue, edition: int, by: Person) -> object:
        """Take the step as on the issue's own page."""
        return take_step(issue=issue, said=self.said, by=by, edition=edition)


@dataclass(frozen=True)
class Outcome:
    """The result for one issue, or why it is not changed."""

    issue: Issue
    becomes: str = ""
    why_not: str = ""


def chosen(uuids: Sequence[UUID]) -> list[Issue]:
    """Return the issues that exist, with everything that determines what can be done."""
    same = {name: OuterRef(name) for name in CAUSE}
    return list(
        in_queues()
        .filter(uuid__in=list(uuids)[:MAXIMUM_ISSUES])
        .annotate(
            is_proposed=Exists(Proposal.objects.filter(issue=OuterRef("pk"))),
            is_open_again=Exists(
                Issue.objects.filter(open=True, **same).exclude(pk=OuterRef("pk"))
            ),
        )
        .order_by("work__due", "pk")
    )


def foresee(*, issues: Sequence[Issue], act: Act, by: Person) -> list[Outcome]:
    """Return what an action will do to each of some issues, without doing it."""
    require(by, Action.REVIEW_FINDINGS)
    outcomes = []
    for issue in issues:
        try:
            outcomes.append(Outcome(issue, act.foresee(issue, by)))
        except RefusedError as why:
            outcomes.append(Outcome(issue, why_not=str(why)))
    return outcomes


def carry_out(
    *, issues: Sequence[Issue], editions: Mapping[UUID, int], act: Act, by: Person
) -> list[Outcome]:
    """Perform the action on each issue as it was shown; skip changed or refused ones."""
    outcomes = []
    for issue in issues:
        try:
            becomes = act.foresee(issue, by) if _as_shown(issue, editions) else "done before"
            act.do(issue, editions[issue.uuid], by)
            outcomes.append(Outcome(issue, becomes))
        except RefusedError as why:
            outcomes.append(Outcome(issue, why_not=str(why)))
    return outcomes


def _as_shown(issue: Issue, editions: Mapping[UUID, int]) -> bool:
    return issue.work.edition == editions[issue.uuid]
