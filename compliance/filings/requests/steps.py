"""The steps of a request to its decision: one table for services, pages and `docs/`.

Commercial (WAC 230-15-040, 230-06-050): the supplier files, the commission reviews and decides.
Tribal (the compacts): the operation asks its agency, the agency approves and seeks the commission's
concurrence.
"""

from __future__ import annotations

from dataclasses import dataclass

from compliance.access.permissions import Action
from compliance.filings.requests.models import GameRequest

State = GameRequest.State
COMMERCIAL = frozenset({GameRequest.Path.COMMERCIAL})
TRIBAL = frozenset({GameRequest.Path.TRIBAL})
BOTH = COMMERCIAL | TRIBAL


@dataclass(frozen=True)
class Step:
    """One step: from which states, to which state, on which path, and who may take it."""

    label: str
    of: frozenset[State]
    to: State
    paths: frozenset[GameRequest.Path]
    action: Action
    usual: str = ""
    """The default reason, for steps that explain themselves."""
    judges: bool = False
    """Whether it decides on a filing: nobody decides on their own or their party's filing."""

    def is_for(self, *, own: bool) -> bool:
        """Return whether the step is for the filer (`own`), or for others."""
        return not own if self.judges else own or self.action != Action.REQUEST_APPROVAL


STEPS: dict[str, Step] = {
    "miss": Step(
        "Return as incomplete",
        frozenset({State.SUBMITTED, State.UNDER_REVIEW}),
        State.INCOMPLETE,
        COMMERCIAL,
        Action.REVIEW_GAMES,
    ),
    "supply": Step(
        "Resubmit",
        frozenset({State.INCOMPLETE}),
        State.SUBMITTED,
        COMMERCIAL,
        Action.REQUEST_APPROVAL,
    ),
    "close": Step(
        "Close as incomplete",
        frozenset({State.INCOMPLETE}),
        State.CLOSED,
        COMMERCIAL,
        Action.REVIEW_GAMES,
    ),
    "review": Step(
        "Start the review",
        frozenset({State.SUBMITTED}),
        State.UNDER_REVIEW,
        COMMERCIAL,
        Action.REVIEW_GAMES,
        usual="The filing is complete.",
    ),
    "ask_interests": Step(
        "Request review of substantial interests",
        frozenset({State.UNDER_REVIEW}),
        State.SUBSTANTIAL_INTEREST,
        COMMERCIAL,
        Action.REVIEW_GAMES,
    ),
    "clear_interests": Step(
        "Complete review of substantial interests",
        frozenset({State.SUBSTANTIAL_INTEREST}),
        State.UNDER_REVIEW,
        COMMERCIAL,
        Action.REVIEW_INTERESTS,
        judges=True,
    ),
    "approve": Step(
        "Approve",
        frozenset({State.UNDER_REVIEW}),
        State.APPROVED,
        COMMERCIAL,
        Action.APPROVE_GAMES,
        judges=True,
    ),
    "deny": Step(
        "Deny",
        frozenset({State.UNDER_REVIEW}),
        State.DENIED,
        COMMERCIAL,
        Action.APPROVE_GAMES,
        judges=True,
    ),
    "approve_as_agency": Step(
        "Approve as the tribe's agency",
        frozenset({State.SUBMITTED}),
        State.AGENCY_APPROVED,
        TRIBAL,
        Action.DECIDE_AS_AGENCY,
        judges=True,
    ),
    "deny_as_agency": Step(
        "Deny as the tribe's agency",
        frozenset({State.SUBMITTED}),
        State.DENIED,
        TRIBAL,
        Action.DECIDE_AS_AGENCY,
        judges=True,
    ),
    "seek_concurrence": Step(
        "Seek the commission's concurrence",
        frozenset({State.AGENCY_APPROVED}),
        State.CONCURRENCE_SOUGHT,
        TRIBAL,
        Action.DECIDE_AS_AGENCY,
        usual="The agency has approved the game.",
    ),
    "concur": Step(
        "Concur",
        frozenset({State.CONCURRENCE_SOUGHT}),
        State.APPROVED,
        TRIBAL,
        Action.APPROVE_GAMES,
        judges=True,
    ),
    "object": Step(
        "Object",
        frozenset({State.CONCURRENCE_SOUGHT}),
        State.OBJECTED,
        TRIBAL,
        Action.APPROVE_GAMES,
        judges=True,
    ),
    "take_back": Step(
        "Withdraw request",
        frozenset({State.SUBMITTED, State.INCOMPLETE, State.UNDER_REVIEW}),
        State.TAKEN_BACK,
        BOTH,
        Action.REQUEST_APPROVAL,
    ),
}


def steps_from(request: GameRequest) -> dict[str, Step]:
    """Return the steps that a request's state and path allow, for any user."""
    return {
        name: step
        for name, step in STEPS.items()
        if request.state in step.of and request.path in step.paths
    }
