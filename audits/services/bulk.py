"""One act on many patterns: what it will do to each is said first, and by the same rules done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from django.db.models import Exists, OuterRef

from audits.models import Pattern, Proposal
from audits.models.pattern import CAUSE
from audits.selectors.desk import on_desks
from audits.services.review import Said, allowed_step, needs_second, take_step
from audits.services.work import DECIDED, assign, claim
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.refused import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from compliance.models import Person

MOST = 200
"""As many as one can still look through before saying yes."""


class Act(Protocol):
    """Something that is done to one pattern after the other."""

    def foresee(self, pattern: Pattern, by: Person) -> str:
        """What will become of a pattern. Refuses what `do` would refuse of it as it stands."""

    def do(self, pattern: Pattern, edition: int, by: Person) -> object:
        """Do it, unless the pattern changed since it was shown."""


class Claim:
    """Onto one's own desk."""

    def foresee(self, pattern: Pattern, by: Person) -> str:
        """Only what is open and on nobody's desk."""
        if not pattern.open:
            raise RefusedError(DECIDED)
        holder = pattern.work.assigned_to
        if holder is not None:
            msg = "It is on your desk already." if holder == by else f"{holder} has it."
            raise RefusedError(msg)
        return "on your desk"

    def do(self, pattern: Pattern, edition: int, by: Person) -> object:
        """What nobody has; who comes second is told who has it."""
        del edition  # a claim takes only what is free
        return claim(pattern=pattern, by=by)


@dataclass(frozen=True)
class Give:
    """Onto somebody's desk, or back onto nobody's."""

    to: Person | None
    any_desk: bool
    """Whether whoever gives may give what is on others' desks, or on nobody's."""

    def foresee(self, pattern: Pattern, by: Person) -> str:
        """One's own; anybody else's is a supervisor's to give."""
        holder = pattern.work.assigned_to
        if holder == self.to:
            msg = f"It is {'on the desk of ' + str(self.to) if self.to else 'free'} already."
            raise RefusedError(msg)
        if holder != by and not self.any_desk:
            whose = f"{holder} has it" if holder else "Nobody has it"
            msg = f"{whose}: only a supervisor gives away what is not on one's own desk."
            raise RefusedError(msg)
        return f"on the desk of {self.to}" if self.to else "on nobody's desk"

    def do(self, pattern: Pattern, edition: int, by: Person) -> object:
        """Give it, and say so in the log."""
        return assign(pattern=pattern, to=self.to, by=by, edition=edition)


@dataclass(frozen=True)
class Decide:
    """One step with one reason."""

    said: Said

    def foresee(self, pattern: Pattern, by: Person) -> str:
        """The state it comes to, at once or once a second person agrees."""
        del by
        step = allowed_step(pattern, self.said)
        becomes = Pattern.State(step.to).label
        if step.closes and needs_second(pattern):
            if pattern.is_proposed:  # type: ignore[attr-defined]
                msg = "A decision is proposed already: agree to it, or refuse it first."
                raise RefusedError(msg)
            return f"proposed: {becomes}; a second person decides"
        if not step.closes and not pattern.open and pattern.is_open_again:  # type: ignore[attr-defined]
            msg = "It happened again since: decide on the newer pattern, which names this one."
            raise RefusedError(msg)
        return becomes

    def do(self, pattern: Pattern, edition: int, by: Person) -> object:
        """Take the step as on the pattern's own page."""
        return take_step(pattern=pattern, said=self.said, by=by, edition=edition)


@dataclass(frozen=True)
class Outcome:
    """One pattern: what becomes of it, or why nothing does."""

    pattern: Pattern
    becomes: str = ""
    why_not: str = ""


def chosen(uuids: Sequence[UUID]) -> list[Pattern]:
    """The patterns of these numbers that are there, with all that decides what can be done."""
    same = {name: OuterRef(name) for name in CAUSE}
    return list(
        on_desks()
        .filter(uuid__in=list(uuids)[:MOST])
        .annotate(
            is_proposed=Exists(Proposal.objects.filter(pattern=OuterRef("pk"))),
            is_open_again=Exists(
                Pattern.objects.filter(open=True, **same).exclude(pk=OuterRef("pk"))
            ),
        )
        .order_by("work__due", "pk")
    )


def foresee(*, patterns: Sequence[Pattern], act: Act, by: Person) -> list[Outcome]:
    """What an act will do to each of some patterns, without doing it."""
    require(by, Action.REVIEW_FINDINGS)
    outcomes = []
    for pattern in patterns:
        try:
            outcomes.append(Outcome(pattern, act.foresee(pattern, by)))
        except RefusedError as why:
            outcomes.append(Outcome(pattern, why_not=str(why)))
    return outcomes


def carry_out(
    *, patterns: Sequence[Pattern], editions: Mapping[UUID, int], act: Act, by: Person
) -> list[Outcome]:
    """Do it to each as it was shown; what changed meanwhile, or refuses it, is left as it is."""
    outcomes = []
    for pattern in patterns:
        try:
            becomes = act.foresee(pattern, by) if _as_shown(pattern, editions) else "done before"
            act.do(pattern, editions[pattern.uuid], by)
            outcomes.append(Outcome(pattern, becomes))
        except RefusedError as why:
            outcomes.append(Outcome(pattern, why_not=str(why)))
    return outcomes


def _as_shown(pattern: Pattern, editions: Mapping[UUID, int]) -> bool:
    return pattern.work.edition == editions[pattern.uuid]
