"""What happens to round logs on their way in, and afterwards."""

from compliance.events import event_type

BEGUN = event_type(
    "round_log.begun",
    "{actor} began to hand in {name} for {party}",
    carries={"name": "name of the file", "corrects": "SHA-256 of the log it corrects, or empty"},
    open_to_party=True,
)
REGISTERED = event_type(
    "round_log.registered",
    "{name} of {party} is on file: {good} of {lines} rounds taken",
    carries={
        "name": "name of the file",
        "sha256": "SHA-256 of the file as handed in",
        "size": "its size in bytes",
        "lines": "lines read",
        "good": "rounds taken",
        "rejected": "lines rejected",
        "already": "rounds that were on file with the same content",
        "corrects": "SHA-256 of the log it corrects, or empty",
    },
    open_to_party=True,
)
REFUSED = event_type(
    "round_log.refused",
    "{name} of {party} was not taken",
    carries={"name": "name of the file", "sha256": "SHA-256 of what was received, or empty"},
    needs_reason=True,
    open_to_party=True,
)
ABANDONED = event_type(
    "round_log.abandoned",
    "{actor} gave up handing in {name} for {party}",
    carries={"name": "name of the file"},
    open_to_party=True,
)
READ = event_type(
    "round_log.read",
    "{actor} fetched {what} of {object}",
    carries={"what": "the evidence, or the rejected lines"},
)
MADE_GOOD = event_type(
    "round_log.segment_made_good",
    "A damaged segment of {party} was made again from the evidence",
    carries={"segment": "which", "identity": "digest of its values", "file": "SHA-256 of the file"},
)
