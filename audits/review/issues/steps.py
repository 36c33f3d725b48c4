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
    deed: str = ""
    """What the person who took the step did; completes a name. A step that closes needs none."""

    @property
    def closes(self) -> bool:
        """Return whether the step decides the issue."""
        return self.to in CLOSED


STEPS: dict[str, Step] = {
    "take_up": Step(
        "Take up the review",
        frozenset({State.NEW}),
        State.UNDER_REVIEW,
        deed="began the review",
    ),
    "ask": Step(
        "Ask the operator",
        frozenset({State.NEW, State.UNDER_REVIEW}),
        State.INFORMATION_REQUESTED,
        wants_date="to be answered by",
        words="Question",
        deed="asked the operator",
    ),
    "go_on": Step(
        "Go on without the answer",
        frozenset({State.INFORMATION_REQUESTED}),
        State.UNDER_REVIEW,
        deed="went on without the answer",
    ),
    "confirm": Step("Confirm the violation", OPEN, State.CONFIRMED),
    "correct": Step("Dealer error, corrected", OPEN, State.CORRECTED),
    "explain": Step("Explained", OPEN, State.EXPLAINED),
    "dismiss": Step("Not a violation", OPEN, State.NO_VIOLATION),
    "waive": Step("Waive until a date", OPEN, State.WAIVED, wants_date="waived until"),
    "refer": Step("Refer to a case", OPEN, State.REFERRED, wants_case=True),
    "reopen": Step(
        "Take the decision back", CLOSED, State.UNDER_REVIEW, deed="took the decision back"
    ),
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


@dataclass(frozen=True)
class Outcome:
    """What a state means to the operator of a released issue, and what is asked of it."""

    says: str
    asks: str
    mark: str = "working"
    """How the state is marked; a violation never carries a check."""
    may_lead_to_charges: bool = False


NOTHING_TO_DO = "You do not have to do anything. You can still answer below."
OUTCOMES: dict[State, Outcome] = {
    State.NEW: Outcome("The commission has not reviewed this yet", NOTHING_TO_DO, "pending"),
    State.UNDER_REVIEW: Outcome("The commission is reviewing this", NOTHING_TO_DO, "pending"),
    State.INFORMATION_REQUESTED: Outcome(
        "The commission waits for your answer",
        "Answer the question below.",
        "attention",
    ),
    State.CONFIRMED: Outcome(
        "The commission confirmed a violation",
        "Correct the cause, and answer below what you did.",
        "failing",
        may_lead_to_charges=True,
    ),
    State.CORRECTED: Outcome(
        "Closed: a dealer error that was corrected",
        "The commission takes no further action. You do not have to do anything.",
        "attention",
    ),
    State.EXPLAINED: Outcome(
        "Closed: the commission accepts the explanation",
        "You do not have to do anything.",
    ),
    State.NO_VIOLATION: Outcome(
        "Closed: the commission found no violation",
        "You do not have to do anything.",
    ),
    State.WAIVED: Outcome(
        "The commission takes no action for now",
        "The commission may decide again when the waiver ends.",
        "pending",
    ),
    State.REFERRED: Outcome(
        "The commission is investigating this as part of a case",
        "Keep all records and video of these rounds. An agent will contact you.",
        "failing",
        may_lead_to_charges=True,
    ),
    State.EMPTY: Outcome(
        "Closed: a later audit found nothing anymore",
        "You do not have to do anything.",
    ),
}
APPEAL = (
    "This is not a penalty. If the commission seeks one, you receive a notice of administrative "
    "charges (WAC 230-17-005). You can then request a hearing: within 23 days after the notice was "
    "mailed to you, or within 20 days if you received it by certified mail or in person "
    "(WAC 230-17-010)."
)


def steps_from(issue: Issue) -> dict[str, Step]:
    """Return the steps that an issue's state allows, for anyone."""
    return {name: step for name, step in STEPS.items() if issue.state in step.of}
