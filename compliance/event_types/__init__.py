"""What can happen in this room, one file per subject."""

from compliance.event_types import (
    approvals,
    controls,
    documents,
    games,
    keys,
    law,
    licences,
    log,
    people,
)

__all__ = [
    "approvals",
    "controls",
    "documents",
    "games",
    "keys",
    "law",
    "licences",
    "log",
    "people",
]
