"""Event types of replays and the issues they find."""

from compliance.events.types import event_type

REPLAY_BEGUN = event_type(
    "replay.begun",
    "{actor} had rounds of {party} judged: {segments} segments",
    carries={
        "replay": "its number for other programs",
        "cause": "why it was made",
        "fingerprint": "digest of its inputs and engine",
        "inputs": "digest of its inputs as archived",
        "segments": "how many segments",
    },
)
GAME_SET_ASIDE = event_type(
    "replay.game_set_aside",
    "{game} of {day} at {party} cannot be audited and was set aside: {why}",
    carries={
        "replay": "its number for other programs",
        "game": "short name of the game",
        "day": "gambling day",
        "why": "why its terms cannot be built",
    },
)
REPLAY_DONE = event_type(
    "replay.done",
    "A replay of {party} is done: {findings} findings in {rounds} rounds",
    carries={
        "replay": "its number for other programs",
        "fingerprint": "digest of its inputs and engine",
        "digest": "digest of all its findings",
        "rounds": "how many rounds",
        "findings": "how many findings",
        "days": "gambling days that it is now the current replay of",
    },
)
REPLAY_RUN_AGAIN = event_type(
    "replay.run_again",
    "{actor} ran a replay of {party} again with the release {release}: {confirmed} findings "
    "confirmed, {changed} changed, {gone} gone, {new} new",
    carries={
        "replay": "its number for other programs",
        "release": "SHA-256 of the sealed release",
        "confirmed": "findings that are the same",
        "changed": "findings that say something else",
        "gone": "findings on file that this release does not have",
        "new": "findings of this release that are not on file",
    },
)
REPLAY_FAILED = event_type(
    "replay.failed",
    "A replay of {party} failed: {failure}",
    carries={"replay": "its number for other programs", "failure": "what went wrong"},
)
REPLAY_CANCELED = event_type(
    "replay.canceled",
    "{actor} canceled a replay of {party}",
    carries={"replay": "its number for other programs"},
)
REPLAY_RETRIED = event_type(
    "replay.retried",
    "{actor} had a failed replay of {party} tried again",
    carries={"replay": "its number for other programs", "failure": "why it had failed"},
)
REPLAY_MOVED = event_type(
    "replay.moved",
    "{actor} changed the priority of a replay of {party} from {former} to {priority}",
    carries={
        "replay": "its number for other programs",
        "former": "priority that it had",
        "priority": "priority that it has; higher goes first",
    },
)
REPLAYS_COMPARED = event_type(
    "replay.compared",
    "{actor} had two replays of {party} compared",
    carries={
        "former": "number of the earlier one for other programs",
        "later": "number of the later one for other programs",
    },
)
ENGINE_RECORDED = event_type(
    "engine.recorded",
    "{actor} recorded the engine in use, {engine}",
    carries={
        "engine": "digest of all its files",
        "parts": "digest of each rule file, and of the sources in each folder",
        "changed": "parts that differ from the engine recorded before",
    },
)
DERIVED_REBUILT = event_type(
    "derived.rebuilt",
    "{actor} rebuilt rows from the findings files: {rows}",
    carries={"rows": "how many rows of each table were not what the files give"},
)
ISSUE_OPENED = event_type(
    "issue.opened",
    "Findings of {code} at {party} opened an issue",
    carries={
        "code": "the first code of its findings",
        "cause": "key of their cause",
        "day": "gambling day on which it was found",
        "says": "digest of its headline and of the cause that was inferred",
        "again_after": "the decided issue that it follows, or empty",
    },
)
ISSUE_CHANGED = event_type(
    "issue.changed",
    "A decided issue at {party} is before the agent again: {says}",
    carries={
        "day": "gambling day whose findings changed",
        "replay": "replay that says so; none where a look at the day does",
        "says": "what changed",
    },
)
ISSUE_EMPTIED = event_type(
    "issue.emptied",
    "An issue at {party} has no findings left, and closed itself",
    carries={
        "day": "gambling day whose findings are gone",
        "replay": "replay that found none",
    },
)
ISSUE_REFILLED = event_type(
    "issue.refilled",
    "An issue at {party} that had closed itself has findings again",
    carries={
        "day": "gambling day on which it was found",
        "replay": "replay that found it",
    },
)
UNIT_REPAIRED = event_type(
    "replay.made_good",
    "Findings of {segment} at {party} were damaged in the archive and judged again: the same",
    carries={
        "replay": "its number for other programs",
        "segment": "segment whose findings they are",
        "digest": "digest of the findings",
    },
)
