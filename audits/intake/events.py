"""Event types of round logs and gambling days."""

from compliance.events.types import event_type

BEGUN = event_type(
    "round_log.begun",
    "{actor} began to submit {name} for {party}",
    carries={"name": "name of the file", "corrects": "SHA-256 of the log it corrects, or empty"},
    open_to_party=True,
)
REGISTERED = event_type(
    "round_log.registered",
    "{name} of {party} is on file: {good} of {lines} rounds taken",
    carries={
        "name": "name of the file",
        "sha256": "SHA-256 of the file as submitted",
        "size": "its size in bytes",
        "lines": "lines read",
        "good": "rounds accepted",
        "rejected": "lines rejected",
        "already": "rounds that were on file with the same content",
        "corrects": "SHA-256 of the log it corrects, or empty",
        "mapping": "name and version of the mapping that made it a round log, or empty",
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
    "{actor} gave up submitting {name} for {party}",
    carries={"name": "name of the file"},
    open_to_party=True,
)
MAPPING_SAVED = event_type(
    "log_mapping.saved",
    "{actor} saved the mapping {name}, version {version}, of {party}",
    carries={"name": "name of the mapping", "version": "its version"},
    open_to_party=True,
)
TABLES_RECORDED = event_type(
    "tables.recorded",
    "{actor} recorded for the tables of {party}: cash of {cash} spans, {closed} closures; "
    "{withdrawn} records withdrawn",
    carries={
        "cash": "how many records of a table's cash are new",
        "closed": "how many records of a closed table are new",
        "withdrawn": "how many earlier records were withdrawn",
        "log": "SHA-256 of the log with them, or empty",
    },
    open_to_party=True,
)
FUNDS_RECORDED = event_type(
    "funds.recorded",
    "{actor} recorded the jackpot funds of {party}: {funds} balances of a day",
    carries={
        "funds": "how many records of a fund are new",
        "log": "SHA-256 of the log with them, or empty",
    },
    open_to_party=True,
)
MADE_GOOD = event_type(
    "round_log.segment_made_good",
    "A damaged segment of {party} was made again from the evidence",
    carries={"segment": "which", "identity": "digest of its values", "file": "SHA-256 of the file"},
)


KEPT = event_type(
    "day.kept",
    "The gambling day {day} of {party} is kept: it closes at {closes}",
    carries={
        "day": "gambling day",
        "begins": "instant at which it begins",
        "ends": "instant at which it ends",
        "closes": "instant at which logs stop being in time",
    },
)
CLOSED = event_type(
    "day.closed",
    "The gambling day {day} of {party} closed",
    carries={
        "day": "gambling day",
        "logs": "SHA-256 of each log on file with rounds of it",
        "checkpoint": "SHA-256 of the checkpoint of the log at that moment, or empty",
    },
)
SUPPLEMENTED = event_type(
    "day.supplemented",
    "Supplement {number} to the gambling day {day} of {party}: logs came after it closed",
    carries={
        "day": "gambling day",
        "number": "number of the supplement",
        "logs": "SHA-256 of each log on file with rounds of it",
    },
)
WATCHED = event_type(
    "day.watched",
    "The nightly run watches over {party} from the gambling day {day} on",
    carries={"day": "first gambling day of which logs are expected"},
)
FINDINGS_CHANGED = event_type(
    "day.findings_changed",
    "What is missing from the gambling day {day} of {party}: {noticed} noticed, {gone} gone",
    carries={
        "day": "gambling day",
        "noticed": "how many findings are new",
        "gone": "how many earlier ones no longer hold",
        "codes": "codes of those that hold now, each once",
    },
)
DAY_RELEASED = event_type(
    "day.released",
    "{actor} released the report of the gambling day {day} to {party}",
    carries={"day": "gambling day"},
    open_to_party=True,
    signed=True,
)
ISSUE_RELEASED = event_type(
    "issue.released",
    "{object} was released to {party}",
    carries={"code": "code of its findings", "standing": "whether by a standing release"},
    open_to_party=True,
    signed=True,
)
STANDING_RELEASE = event_type(
    "issue.standing_release",
    "{actor} set that findings of {code} are released to {party} as they come: {stands}",
    carries={"code": "code of findings", "stands": "whether it applies from now on"},
    signed=True,
)
