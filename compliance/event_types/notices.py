"""What happens to notices: how people want them, and the mails and calendars they come by."""

from compliance.events import event_type

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
