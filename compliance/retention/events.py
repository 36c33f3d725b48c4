"""Event types of removed files and legal holds."""

from compliance.events.types import event_type

REMOVED = event_type(
    "retention.removed",
    "{count} files were removed under {under}, kept for {years} years",
    carries={
        "count": "files",
        "under": "class of retention",
        "years": "years that were configured",
        "rule": "source of the minimum number of years",
        "digests": "SHA-256 of each",
    },
)
HOLD_PLACED = event_type(
    "retention.hold_placed",
    "{actor} placed a legal hold on {name}",
    carries={"kind": "kind of thing on hold", "name": "its name"},
    needs_reason=True,
)
LIFTED = event_type(
    "retention.hold_lifted",
    "{actor} lifted the legal hold on {name}",
    carries={"kind": "kind of thing on hold", "name": "its name"},
    needs_reason=True,
)
