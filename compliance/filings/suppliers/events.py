"""Event types of suppliers' records."""

from compliance.events.types import event_type

INTEREST_REPORTED = event_type(
    "interest.reported",
    "{actor} reported a substantial interest in {party}: {basis}, {portion} from {from_date}",
    carries={"basis": "why it is substantial", "portion": "in percent", "from_date": "first day"},
)
EQUIPMENT_FILED = event_type(
    "equipment.filed",
    "{actor} filed equipment of {party}: {equipment}",
    carries={"equipment": "kind, model and maker", "licenses": "numbers of licenses"},
)
EQUIPMENT_DELIVERED = event_type(
    "equipment.delivered",
    "{actor} recorded a delivery of {party} to {operator} from {from_date}: {equipment}",
    carries={
        "equipment": "kind, model and maker",
        "operator": "who received it",
        "from_date": "first day",
    },
)
