"""Events of notifications, their emails and calendars, and of webhooks."""

from compliance.events.types import event_type

CHOSEN = event_type(
    "notices.chosen",
    "{actor} changed notification settings",
    carries={"ways": "way of each kind that was changed"},
)
MAILED = event_type(
    "notices.mailed",
    "The system sent one person an email with {count} notifications",
    carries={"count": "number of notifications in it"},
    personal={"to": "address"},
)
NOT_MAILED = event_type(
    "notices.not_mailed",
    "An email about {count} notifications was not sent",
    carries={"count": "number of notifications it would have had"},
    needs_reason=True,
)
MAIL_RETRIED = event_type(
    "notices.mail_retried",
    "{actor} resent an email about {count} notifications",
    carries={"count": "number of notifications in it"},
)
CALENDAR_MADE = event_type(
    "calendar.made", "{actor} made a secret address for a calendar of due dates"
)
CALENDAR_REVOKED = event_type(
    "calendar.revoked", "{actor} revoked the address of a calendar of due dates"
)


MADE = event_type(
    "webhook.made",
    "{actor} created a {object} for programs of {party}",
    carries={"kinds": "kinds of events it receives"},
    open_to_party=True,
)
ENDED = event_type(
    "webhook.ended", "{actor} ended the {object}", needs_reason=True, open_to_party=True
)
STOPPED = event_type(
    "webhook.stopped",
    "Nothing is sent by the {object} any more",
    needs_reason=True,
    open_to_party=True,
)
RESUMED = event_type("webhook.resumed", "{actor} began the {object} again", open_to_party=True)
FAILED = event_type(
    "webhook.failed",
    "A {object} of {party} did not accept a delivery: {kind}",
    carries={"kind": "kind of thing", "number": "number of the delivery"},
    needs_reason=True,
    open_to_party=True,
)
RETRIED = event_type(
    "webhook.sent_again",
    "{actor} had something sent again by the {object}",
    carries={"kind": "kind of thing", "number": "number of the delivery"},
    open_to_party=True,
)
