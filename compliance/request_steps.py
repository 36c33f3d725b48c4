"""The way of a request to its decision: one table, for services, pages and `docs/`.

Commercial (WAC 230-15-040, 230-06-050): the supplier asks, the commission reviews and decides.
Tribal (the compacts): the operation asks its agency, the agency approves and seeks the
commission's concurrence.
"""

from __future__ import annotations

from dataclasses import dataclass

from compliance.models.approval import GameRequest
from compliance.permissions import Action

State = GameRequest.State
COMMERCIAL = frozenset({GameRequest.Path.COMMERCIAL})
TRIBAL = frozenset({GameRequest.Path.TRIBAL})
BOTH = COMMERCIAL | TRIBAL


@dataclass(frozen=True)
class Step:
    """One step: from where, to where, on which path, and who may take it."""

    label: str
    of: frozenset[State]
    to: State
    paths: frozenset[GameRequest.Path]
    action: Action
    usual: str = ""
    """The reason that mostly stands, where the step speaks for itself."""
    judges: bool = False
    """Whether it judges what was filed: nobody does so of what they, or their own party filed."""

    def is_for(self, *, own: bool) -> bool:
        """Whether it is for whoever filed (`own`), or for somebody else."""
        return not own if self.judges else own or self.action != Action.REQUEST_APPROVAL


STEPS: dict[str, Step] = {
    "miss": Step(
        "Say what is missing or has to change",
        frozenset({State.SUBMITTED, State.UNDER_REVIEW}),
        State.INCOMPLETE,
        COMMERCIAL,
        Action.REVIEW_GAMES,
    ),
    "supply": Step(
        "Say that it is supplied",
        frozenset({State.INCOMPLETE}),
        State.SUBMITTED,
        COMMERCIAL,
        Action.REQUEST_APPROVAL,
    ),
    "close": Step(
        "Close: what was missing did not come",
        frozenset({State.INCOMPLETE}),
        State.CLOSED,
        COMMERCIAL,
        Action.REVIEW_GAMES,
    ),
    "review": Step(
        "Take up the review",
        frozenset({State.SUBMITTED}),
        State.UNDER_REVIEW,
        COMMERCIAL,
        Action.REVIEW_GAMES,
        usual="The papers are there.",
    ),
    "ask_interests": Step(
        "Have substantial interests reviewed",
        frozenset({State.UNDER_REVIEW}),
        State.SUBSTANTIAL_INTEREST,
        COMMERCIAL,
        Action.REVIEW_GAMES,
    ),
    "clear_interests": Step(
        "Substantial interests are reviewed",
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
        "Take the request back",
        frozenset({State.SUBMITTED, State.INCOMPLETE, State.UNDER_REVIEW}),
        State.TAKEN_BACK,
        BOTH,
        Action.REQUEST_APPROVAL,
    ),
}


def steps_from(request: GameRequest) -> dict[str, Step]:
    """The steps that the state and the path of a request allow, whoever takes them."""
    return {
        name: step
        for name, step in STEPS.items()
        if request.state in step.of and request.path in step.paths
    }


NEXT: dict[GameRequest.Path, dict[State, str]] = {
    GameRequest.Path.COMMERCIAL: {
        State.SUBMITTED: "The commission's licensing unit takes it up",
        State.INCOMPLETE: "{asked_by} supplies what is missing",
        State.UNDER_REVIEW: "The commission reviews it and decides",
        State.SUBSTANTIAL_INTEREST: "The commission's financial investigators look into "
        "substantial interests",
    },
    GameRequest.Path.TRIBAL: {
        State.SUBMITTED: "{agency} looks through it and decides",
        State.AGENCY_APPROVED: "{agency} seeks the commission's concurrence",
        State.CONCURRENCE_SOUGHT: "The commission concurs or objects",
    },
}


def what_comes_next(request: GameRequest) -> str:
    """Who moves a request on, and how; empty where nobody has to."""
    says = NEXT[GameRequest.Path(request.path)].get(State(request.state), "")
    return says.format(asked_by=request.asked_by, agency=request.asked_by.agency)
