"""Event types of games and their rules."""

from compliance.events.types import event_type

GAME_FILED = event_type(
    "game.filed", "{actor} filed the game {object}", carries={"slug": "short name of the game"}
)
RULE_VERSION_FILED = event_type(
    "rule_version.filed",
    "{actor} filed version {number} of the rules of {game}",
    carries={
        "game": "short name of the game",
        "number": "number of the version",
        "rule_set": "digest of the engine's rule set",
        "definition": "digest of the definition, if one was filed",
        "documents": "versions of the documents it is based on",
    },
)
DIFFERENCE_FOUND = event_type(
    "document.difference_found",
    "The papers of {object} differ: {says}",
    carries={"code": "code of the finding", "says": "what differs"},
)
