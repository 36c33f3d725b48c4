"""What can happen in this room, one file per subject."""

from compliance.event_types import (
    approvals,
    controls,
    documents,
    filing_desk,
    games,
    keys,
    law,
    licences,
    log,
    notices,
    people,
    retention,
    webhooks,
)

__all__ = [
    "approvals",
    "controls",
    "documents",
    "filing_desk",
    "games",
    "keys",
    "law",
    "licences",
    "log",
    "notices",
    "people",
    "retention",
    "webhooks",
]
