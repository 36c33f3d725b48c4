"""What happens to licences and compacts."""

from compliance.events import event_type

GRANTED = event_type(
    "licence.granted",
    "{actor} put the licence {number} of {party} on file",
    carries={"number": "number of the licence", "kind": "class", "from_date": "first day"},
)
CHANGED = event_type(
    "licence.changed",
    "{actor}: a licence of {party} is {effect} from {from_date}",
    carries={"effect": "suspended, restored, revoked or given up", "from_date": "first day"},
    needs_reason=True,
)
COMPACT_ENTERED = event_type(
    "compact.entered",
    "{actor} entered {title} of {party}",
    carries={"title": "title of compact or amendment"},
)
COMPACT_VALUE_ADDED = event_type(
    "compact.value_added",
    "{actor} added a value to the compact of {party}: {rule}, {value} from {from_date}",
    carries={"rule": "what it limits", "value": "value", "from_date": "first day"},
)
COMPACT_ITEM_ADDED = event_type(
    "compact.item_added",
    "{actor} added a line to the checklist of the compact of {party}: {asks}",
    carries={"asks": "what the compact asks of a filing", "citation": "where it says so"},
)
CHECKLIST_TICKED = event_type(
    "request.ticked",
    "{actor} found in the filing as {there}: {asks}",
    carries={"asks": "what the compact asks of a filing", "there": "there or not there"},
)
