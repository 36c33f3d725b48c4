"""Event types of a request until the decision on it."""

from compliance.events.types import event_type

REQUESTED = event_type(
    "request.submitted",
    "{actor} asked for approval of {object}",
    carries={"path": "commercial or tribal"},
)
MOVED = event_type(
    "request.moved",
    "{actor} moved the request from {from_state} to {to_state}",
    carries={"from_state": "state before", "to_state": "state after"},
    needs_reason=True,
)
COMMENTED = event_type(
    "request.commented",
    "{actor} commented on {object}",
    carries={"section": "section", "text": "the comment"},
)
APPROVED = event_type(
    "approval.given",
    "{actor} approved: {kind}",
    carries={
        "kind": "basis of the approval",
        "subject": "what was approved",
        "digest": "digest of exactly what was decided on",
        "in_effect_from": "instant from which it is in effect",
        "conditions": "conditions, in order",
        "interpretations": "each interpretation, its reason, and what controls may choose instead",
    },
    signed=True,
)
DENIED = event_type(
    "request.denied",
    "{actor} refused {object}",
    carries={"state": "how"},
    needs_reason=True,
    signed=True,
)
CONDITION_MARKED = event_type(
    "condition.marked",
    "{actor} marked a condition {mark}: {says}",
    carries={"mark": "met, not met or waived", "says": "the condition", "until": "waived until"},
    needs_reason=True,
)
CONDITION_ANSWERED = event_type(
    "condition.answered",
    "{actor} says that a condition is met: {says}",
    carries={"says": "the condition", "text": "how it is met"},
)
WITHDRAWAL = event_type(
    "withdrawal.stepped",
    "{actor}: withdrawal of an approval, {step}",
    carries={"step": "noticed, objected to, final or dropped"},
    needs_reason=True,
    signed=True,
)


CHECKLIST_TICKED = event_type(
    "request.ticked",
    "{actor} found in the filing as {there}: {asks}",
    carries={"asks": "what the compact requires of a filing", "there": "there or not there"},
)
CHECKLIST_DOCUMENT = event_type(
    "request.checklist_document",
    "{actor} uploaded a document for an item of the compact: {asks}",
    carries={"asks": "what the compact requires", "document": "title and version"},
)
