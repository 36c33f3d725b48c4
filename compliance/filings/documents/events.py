"""Event types of filed documents."""

from compliance.events.types import event_type

FILED = event_type(
    "document.filed",
    "{actor} filed {object}",
    carries={"title": "title", "number": "number of the version", "files": "SHA-256 of each file"},
)
SHOWN = event_type(
    "document.shown",
    "{actor} showed {object} to {party}",
)
