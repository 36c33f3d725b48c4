"""What happens to filings within the commission, before it says anything to whoever filed."""

from compliance.events import event_type

TAKEN = event_type(
    "filing.taken",
    "{actor} gave {filing} to {person}",
    carries={"filing": "what was filed", "due": "the day that was set, if one was"},
    personal={"person": "who has it in hand now"},
)
PUT_BACK = event_type(
    "filing.put_back",
    "{actor} put {filing} back",
    carries={"filing": "what was filed"},
)
NOTED = event_type(
    "filing.noted",
    "{actor} noted something of {filing} for the commission",
    carries={"filing": "what was filed", "text": "the note"},
)
