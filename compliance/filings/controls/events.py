"""Event types of internal controls."""

from compliance.events.types import event_type

DRAFT_SAVED = event_type(
    "controls.draft_saved",
    "{actor} saved a draft of the controls of {party}",
    carries={"edition": "how often it was saved"},
)
SUBMITTED = event_type(
    "controls.submitted",
    "{actor} submitted version {number} of the controls of {party}",
    carries={"number": "number of the version"},
)
COMMENTED = event_type(
    "controls.commented",
    "{actor} commented on {section} of the controls of {party}",
    carries={"section": "section", "text": "the comment"},
)
RETURNED = event_type(
    "controls.returned",
    "{actor} returned version {number} of the controls of {party}",
    carries={"number": "number of the version", "due": "day by which an answer is due"},
    needs_reason=True,
)
DECIDED = event_type(
    "controls.decided",
    "{actor}: version {number} of the controls of {party} is {state}",
    carries={"number": "number of the version", "state": "new state"},
    needs_reason=True,
    signed=True,
)
VISITED = event_type(
    "controls.visited",
    "{actor} visited {party}: {outcome}",
    carries={"number": "number of the version", "outcome": "as approved or not"},
)
