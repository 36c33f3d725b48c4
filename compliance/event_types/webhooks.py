"""What happens to the webhooks of parties."""

from compliance.events import event_type

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
