"""Event types of licenses and compacts."""

from compliance.events.types import event_type

GRANTED = event_type(
    "license.granted",
    "{actor} put the license {number} of {party} on file",
    carries={"number": "number of the license", "kind": "class", "from_date": "first day"},
)
CHANGED = event_type(
    "license.changed",
    "{actor}: a license of {party} is {effect} from {from_date}",
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
    carries={"asks": "what the compact requires of a filing", "citation": "where it is required"},
)
