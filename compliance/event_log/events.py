"""Event types of the event log itself."""

from compliance.events.types import event_type

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
ROWS_ANCHORED = event_type(
    "log.rows_anchored",
    "{actor} bound rows that no event had recorded, as they were: {rows}",
    carries={"rows": "how many rows of each table"},
    needs_reason=True,
)
BACKED_UP = event_type(
    "log.backed_up",
    "A backup was made: the log's first {size} events and {files} files of the archive",
    carries={
        "size": "size of the log in it",
        "files": "files of the archive in it",
        "missing": "files missing from the archive",
        "folder": "where it is",
        "manifest": "SHA-256 of its manifest, which lists all of its files",
    },
)
RELEASE_SEALED = event_type(
    "release.sealed",
    "{actor} sealed the release {version} that is installed",
    carries={
        "version": "version of the release",
        "artifact": "SHA-256 of the sealed release in the archive",
        "manifest": "SHA-256 of its manifest, which names every file of it",
        "engine": "digest of the engine in it, as replays name it",
        "reports": "digest of the report writer in it, as reports name it",
    },
)
RESTORED = event_type(
    "log.restored",
    "The system was restored from the backup of {made}, with the log's first {size} events",
    carries={
        "made": "when the backup started",
        "size": "size of the log in it",
        "problems": "problems found by the checks afterward",
    },
)
