"""Event types of report deliveries."""

from compliance.events.types import event_type

SUBSCRIBED = event_type(
    "subscription.made",
    "{actor} has reports sent: {kind}, {way}",
    carries={
        "kind": "kind of report, or every kind",
        "about": "party that they concern; empty for any",
        "way": "how they are sent",
        "to": "person, or party for all of its people or its folder",
    },
    open_to_party=True,
)
CHANGED = event_type(
    "subscription.changed",
    "{actor} {change} a subscription: {object}",
    carries={"change": "paused, resumed or ended"},
    open_to_party=True,
)
SENT = event_type(
    "report.sent",
    "{report} was sent {way}",
    carries={
        "report": "reference of the report",
        "way": "how it was sent",
        "file": "SHA-256 of the attached signed file; empty if a link was sent",
    },
    personal={"to": "address, for a mail"},
)
NOT_SENT = event_type(
    "report.not_sent",
    "{report} was not sent {way}",
    carries={"report": "reference of the report", "way": "how it was to be sent"},
    needs_reason=True,
)
RETRIED = event_type(
    "report.sent_again",
    "{actor} had {report} sent again",
    carries={"report": "reference of the report"},
)
