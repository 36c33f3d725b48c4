"""Event types of filings in the commission, before it responds to the filer."""

from compliance.events.types import event_type

TAKEN = event_type(
    "filing.taken",
    "{actor} assigned {filing} to {person}",
    carries={"filing": "what was filed", "due": "due date, if one was set"},
    personal={"person": "the assignee"},
)
PUT_BACK = event_type(
    "filing.put_back",
    "{actor} unassigned {filing}",
    carries={"filing": "what was filed"},
)
NOTED = event_type(
    "filing.noted",
    "{actor} added a note on {filing} for the commission",
    carries={"filing": "what was filed", "text": "the note"},
)
