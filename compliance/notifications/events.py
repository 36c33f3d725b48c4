"""Events of notifications, their emails and calendars, and of webhooks."""

from compliance.events.types import event_type

CHOSEN = event_type(
    "notices.chosen",
    "{actor} chose how to be told",
    carries={"ways": "way of each kind that was changed"},
)
MAILED = event_type(
    "notices.mailed",
    "A mail told somebody of {count} notices",
    carries={"count": "how many notices it told of"},
    personal={"to": "address"},
)
NOT_MAILED = event_type(
    "notices.not_mailed",
    "A mail about {count} notices was not sent",
    carries={"count": "how many notices it would have told of"},
    needs_reason=True,
)
MAIL_RETRIED = event_type(
    "notices.mail_retried",
    "{actor} had a mail about {count} notices sent again",
    carries={"count": "how many notices it tells of"},
)
CALENDAR_MADE = event_type(
    "calendar.made", "{actor} made a secret address for a calendar of due dates"
)
CALENDAR_REVOKED = event_type(
    "calendar.revoked", "{actor} revoked the address of a calendar of due dates"
)


MADE = event_type(
    "webhook.made",
    "{actor} had programs of {party} told by a {object}",
    carries={"kinds": "kinds of things it is told of"},
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
    "What {party} was to be told by a {object} was not taken: {kind}",
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
