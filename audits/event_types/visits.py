"""What happens on visits to operators."""

from compliance.events import event_type

BEGUN = event_type(
    "visit.begun",
    "{actor} began the {object}",
    carries={"items": "how many things there are to look at"},
)
LOOKED = event_type("visit.looked", "{actor} looked at {object}")
ENDED = event_type(
    "visit.ended",
    "{actor} wrote the {object}: {as_approved} as approved, {differs} not, "
    "{not_looked_at} not looked at",
    carries={
        "as_approved": "how many things were as approved",
        "differs": "how many were not",
        "not_looked_at": "how many nobody looked at",
    },
)
