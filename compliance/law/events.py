"""Event types of the law."""

from compliance.events.types import event_type

VALUE_ADDED = event_type(
    "law.value_added",
    "{actor} added a value to {rule}: {value} {unit} from {from_date} ({citation}, {filing})",
    carries={
        "rule": "rule of the law",
        "value": "value, or nothing where it is not known",
        "unit": "its unit",
        "from_date": "first day in effect",
        "citation": "citation as numbered on that day",
        "filing": "filing that set it",
        "supersedes": "addition that it supersedes, which was wrong",
    },
    signed=True,
)
VERIFIED = event_type(
    "law.verified",
    "{actor} verified {rule} through {through}",
    carries={"rule": "rule of the law", "through": "last day that was verified"},
    signed=True,
)
