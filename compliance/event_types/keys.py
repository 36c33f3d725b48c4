"""What happens to the keys of programs."""

from compliance.events import event_type

KEY_MADE = event_type(
    "key.made",
    "{actor} made a key for a program: {object}",
    carries={
        "scopes": "what it is good for",
        "networks": "addresses it may come from; none for any",
        "expires": "until when it serves",
    },
    open_to_party=True,
)
KEY_REVOKED = event_type(
    "key.revoked",
    "{actor} revoked the key {object}",
    needs_reason=True,
    open_to_party=True,
)
