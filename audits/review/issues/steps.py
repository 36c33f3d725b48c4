"""Steps on an issue: one table for services, pages and the help page."""

from __future__ import annotations

from dataclasses import dataclass

from audits.replay.findings.models import Issue

State = Issue.State
OPEN = frozenset({State.NEW, State.UNDER_REVIEW, State.INFORMATION_REQUESTED})
CLOSED = frozenset(State) - OPEN


@dataclass(frozen=True)
class Step:
    """One step: its states before and after, and its required input besides the reason."""

    label: str
    of: frozenset[State]
    to: State
    wants_date: str = ""
    """Label of the date; empty if the step has none."""
    wants_case: bool = False
    words: str = "Why"
    """Label of the reason."""

    @property
    def closes(self) -> bool:
        """Return whether the step decides the issue."""
        return self.to in CLOSED


STEPS: dict[str, Step] = {
    "take_up": Step("Take up the review", frozenset({State.NEW}), State.UNDER_REVIEW),
    "ask": Step(
        "Ask the operator",
        frozenset({State.NEW, State.UNDER_REVIEW}),
        State.INFORMATION_REQUESTED,
        wants_date="to be answered by",
        words="Question",
    ),
    "go_on": Step(
        "Go on without the answer", frozenset({State.INFORMATION_REQUESTED}), State.UNDER_REVIEW
    ),
    "confirm": Step("Confirm the violation", OPEN, State.CONFIRMED),
    "correct": Step("Dealer error, corrected", OPEN, State.CORRECTED),
    "explain": Step("Explained", OPEN, State.EXPLAINED),
    "dismiss": Step("Not a violation", OPEN, State.NO_VIOLATION),
    "waive": Step("Waive until a date", OPEN, State.WAIVED, wants_date="waived until"),
    "refer": Step("Refer to a case", OPEN, State.REFERRED, wants_case=True),
    "reopen": Step("Take the decision back", CLOSED, State.UNDER_REVIEW),
}


ANSWER = Step(
    "The operator answers",
    frozenset({State.INFORMATION_REQUESTED}),
    State.UNDER_REVIEW,
    words="Answer",
)
"""The operator's own step."""
WAIVER_ENDS = Step("The waiver ends", frozenset({State.WAIVED}), State.UNDER_REVIEW)
EMPTIES = Step("No findings are left", OPEN, State.EMPTY)
"""The steps that no person takes."""


def steps_from(issue: Issue) -> dict[str, Step]:
    """Return the steps that an issue's state allows, for anyone."""
    return {name: step for name, step in STEPS.items() if issue.state in step.of}
