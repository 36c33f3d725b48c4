"""Event types for exports and encrypted secrets."""

from compliance.events.types import event_type

EXPORTED = event_type(
    "export.made",
    "{actor} exported {what} ({format}): {count}",
    carries={
        "what": "what was exported",
        "filters": "filters by name; empty if none was used",
        "count": "rows in it; 1 for a file",
        "format": "kind of file",
    },
)
CUT_OFF = event_type(
    "export.cut_off",
    "An export of {what} was cut off after {sent} {unit}",
    carries={
        "what": "what was exported",
        "export": "UUID of the export's event",
        "sent": "how much was sent",
        "unit": "bytes or rows",
    },
)
READ = event_type(
    "data.read",
    "{actor} read {what} through the API: {count}",
    carries={
        "what": "name of the operation",
        "filters": "filters by name",
        "count": "rows in the answer",
    },
)


REENCRYPTED = event_type(
    "secrets.reencrypted",
    "{actor} re-encrypted secrets with the newest keys: {second_factors} of second factors, "
    "{webhooks} of webhooks",
    carries={
        "second_factors": "number of second factors and sets of recovery codes",
        "webhooks": "number of webhooks",
    },
)
