"""Showdown seats as a person writes them."""

from tests.games.as_round import as_round
from tests.games.written_rounds import dealt_from, round_of

KEYS = ("showdown", "surrender", "pot")
NO_RESULT = dict.fromkeys(KEYS, 0)
ANY_CARDS = "As " * 24 + "As"


def shown(hands, cards=None):
    """Return a seat at the showdown; unset cards fill it up to 25."""
    used = dealt_from(hands).split()
    filled = " ".join([*used, *["2c"] * (25 - len(used))])
    return {
        "cards": filled if cards is None else cards,
        "play": "showdown",
        "hands": hands,
        "result": NO_RESULT,
    }


def gone(play, cards=None):
    """Return a seat that surrendered, or the last one left."""
    number = {"surrender-20": 20, "surrender-23": 23, "last": 25}[play]
    return {"cards": cards or " ".join(["As"] * number), "play": play, "result": NO_RESULT}


def showdown(seats, chip=1, dealer=1, **fields):
    written = [seat if isinstance(seat, dict) else shown(seat) for seat in seats]
    return as_round(round_of("showdown", written, chip=chip, dealer=dealer, **fields))
