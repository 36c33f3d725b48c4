"""Event types of reports.

Only the commission learns that a report was made: the name alone of a restitution schedule or a
case file would reveal what nobody has released. A party learns of a report when it is shown to it.
"""

from compliance.events.types import event_type

MADE = event_type(
    "report.made",
    "{object} was made",
    carries={
        "kind": "kind of report",
        "number": "1, or the number of the supplement",
        "body": "SHA-256 of the body, which is the report's identity",
        "size": "bytes of the body, with which each signed file of it begins",
        "pages": "number of pages",
        "inputs": "SHA-256 of the inputs that were kept",
    },
)
SIGNED = event_type(
    "report.signed",
    "{object} was sealed with the key of {key}",
    carries={
        "body": "SHA-256 of the body",
        "file": "SHA-256 of the signed file",
        "key": "name in the certificate",
        "timestamped": "whether it has a trusted time stamp",
    },
)
SHOWN = event_type("report.shown", "{object} was shown to {party}", open_to_party=True)
ORDERED = event_type(
    "report.ordered",
    "{actor} ordered a report: {kind}",
    carries={"kind": "kind of report", "number": "number of the report"},
)
FAILED = event_type(
    "report.failed",
    "A report could not be made: {kind}",
    carries={"kind": "kind of report", "number": "number of the report"},
    needs_reason=True,
)
