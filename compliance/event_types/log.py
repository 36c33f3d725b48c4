"""What happens to the event log itself."""

from compliance.events import event_type

KEY_IN_USE = event_type(
    "log.key_in_use",
    "The log's checkpoints are signed with the key {key} from now on",
    carries={"key": "public key, as published"},
)
EVENT_REFUSED = event_type(
    "log.event_refused",
    "The row of event {number} was not written by this system and gets no place in the log",
    carries={"number": "number of the row"},
)
EXPORTED = event_type(
    "log.exported",
    "{actor} exported {count} events of the log",
    carries={"count": "events in the export", "filter": "what was asked for", "size": "log's size"},
)
PERSONAL_DATA_REMOVED = event_type(
    "log.personal_data_removed",
    "Personal data of {count} events was removed under {rule}",
    carries={
        "count": "events concerned",
        "numbers": "their numbers",
        "rule": "class of retention",
    },
    needs_reason=True,
)
