"""Event types of acts that take two people."""

from compliance.events.types import event_type

TITLE = {"title": "the act, in words"}

PROPOSED = event_type(
    "act.proposed",
    "{actor} proposed: {title}",
    carries={**TITLE, "address": "page that does it", "answers": "its form as filled in"},
    signed=True,
)
CONFIRMED = event_type(
    "act.confirmed",
    "{actor} confirmed as the second person: {title}",
    carries=TITLE,
    signed=True,
)
TURNED_DOWN = event_type(
    "act.turned_down", "{actor} turned down: {title}", carries=TITLE, needs_reason=True
)
WITHDRAWN = event_type(
    "act.withdrawn", "{actor} withdrew the proposal: {title}", carries=TITLE, needs_reason=True
)
