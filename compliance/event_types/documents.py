"""What happens to documents that are filed."""

from compliance.events import event_type

FILED = event_type(
    "document.filed",
    "{actor} filed {object}",
    carries={"title": "title", "number": "number of the version", "files": "SHA-256 of each file"},
)
SHOWN = event_type(
    "document.shown",
    "{actor} showed {object} to {party}",
)
READ = event_type(
    "document.read",
    "{actor} read {name} of {object}",
    carries={"name": "name of the file", "sha256": "SHA-256 of the file"},
)
