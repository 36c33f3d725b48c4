"""What operators report of their own accord."""

from compliance.events import event_type

DISCLOSED = event_type(
    "disclosure.made",
    "{actor} reported an irregularity of {day}: {object}",
    carries={"day": "gambling day on which it happened"},
    open_to_party=True,
)
RESTITUTION_PAID = event_type(
    "restitution.paid",
    "{actor} confirmed on {paid_on} as paid: {object}",
    carries={"cents": "what was paid", "paid_on": "day on which it was paid"},
    open_to_party=True,
)
