"""What agents do with patterns and cases."""

from compliance.events import event_type

CLAIMED = event_type("pattern.claimed", "{actor} took {object} to the desk, due on {due}",
    carries={"due": "date by which it is to be decided"})  # fmt: skip
ASSIGNED = event_type(
    "pattern.assigned",
    "{actor} gave {object} to {person}",
    carries={"person": "UUID of whom it was given to, or nobody"},
)
ESCALATED = event_type("pattern.escalated", "{actor} put {object} before the supervisor",
    needs_reason=True)  # fmt: skip
COVERED = event_type(
    "pattern.covered",
    "{actor} arranged cover from {first} to {last}",
    carries={
        "absent": "UUID of who is absent",
        "covering": "UUID of who does the work",
        "first": "first day",
        "last": "last day",
    },
)
COVER_ENDED = event_type("pattern.cover_ended", "{actor} ended the cover of {absent}",
    carries={"absent": "UUID of who was absent"})  # fmt: skip
PROPOSED = event_type(
    "pattern.decision_proposed",
    "{actor} proposed for {object}: {state}; a second person decides",
    carries={"state": "state that is proposed"},
    needs_reason=True,
)
PROPOSAL_REFUSED = event_type(
    "pattern.proposal_refused",
    "{actor} did not agree to what was proposed for {object}: {state}",
    carries={"state": "state that was proposed"},
    needs_reason=True,
)
DECIDED = event_type(
    "pattern.decided",
    "{object}, by {actor}",
    carries={"pattern": "UUID of the pattern", "was": "state before", "state": "state after"},
    needs_reason=True,
)
WAIVER_ENDED = event_type(
    "pattern.waiver_ended",
    "The waiver of {object} ended on {until}: it is before the agent again",
    carries={"until": "last day of the waiver"},
)
ANSWERED = event_type(
    "pattern.answered",
    "{actor} answered what the commission asked: {object}",
    carries={"pattern": "UUID of the pattern"},
    needs_reason=True,
    open_to_party=True,
)
NOTED = event_type("pattern.noted", "{actor} noted something: {object}")

CASE_OPENED = event_type("case.opened", "{actor} opened {object}", needs_reason=True)
CASE_WRITTEN = event_type(
    "case.written", "{actor} wrote {object}", carries={"edition": "how often it was written"}
)
CASE_GATHERED = event_type("case.gathered", "{actor} gathered: {object}")
CASE_TAKEN_OUT = event_type("case.taken_out", "{actor} took out: {object}", needs_reason=True)
CASE_NOTED = event_type("case.noted", "{actor} wrote a {object}")
CASE_LEVEL = event_type(
    "case.level_recommended",
    "{actor} recommended for {object}: {level}",
    carries={"level": "level in the commission's words"},
    needs_reason=True,
)
CASE_CLOSED = event_type("case.closed", "{actor} closed {object}", needs_reason=True)
CASE_REOPENED = event_type("case.reopened", "{actor} opened {object} again", needs_reason=True)
