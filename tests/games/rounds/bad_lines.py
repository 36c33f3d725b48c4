"""Every way in which a line can have an invalid form: a good round in, a bad line out."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

Round = dict[str, Any]
BadLine = Callable[["Random", Round], bytes]

BAD_LINES: dict[str, BadLine] = {}


def bad_line(function: BadLine) -> BadLine:
    BAD_LINES[function.__name__] = function
    return function


def changed(*names: str) -> Callable[[Callable[[Random, Round], None]], None]:
    """Make a bad line written like any other, with something wrong in it; it needs these fields."""

    def keep(function: Callable[[Random, Round], None]) -> None:
        def write(rng: Random, round_: Round) -> bytes:
            round_ = deepcopy(round_)
            function(rng, round_)
            return json.dumps(round_, ensure_ascii=False).encode() + b"\n"

        write.needs = names  # type: ignore[attr-defined]
        BAD_LINES[function.__name__] = write

    return keep


def spoil(rng: Random, round_: Round) -> tuple[str, bytes]:
    """Damage the round in one of the ways that it allows, and return the way and the line."""
    fitting = {
        name: write
        for name, write in BAD_LINES.items()
        if all(need in round_ or need in round_["seats"][0] for need in getattr(write, "needs", ()))
    }
    name = rng.choice(list(fitting))
    return name, fitting[name](rng, round_)


def text_of(round_: Round) -> str:
    return json.dumps(round_, ensure_ascii=False)


# --- the line itself -------------------------------------------------------------------------


@bad_line
def empty(rng: Random, round_: Round) -> bytes:
    return rng.choice((b"\n", b"\r\n", b" \n"))


@bad_line
def byte_order_mark(rng: Random, round_: Round) -> bytes:
    return b"\xef\xbb\xbf" + text_of(round_).encode() + b"\n"


@bad_line
def no_json(rng: Random, round_: Round) -> bytes:
    text = text_of(round_)
    cut = text[: rng.randrange(1, len(text))]
    other = ("nonsense", text + "}", text + " " + text, text.replace('"', "'"), "{,}", cut)
    return rng.choice(other).encode() + b"\n"


@bad_line
def no_object(rng: Random, round_: Round) -> bytes:
    return rng.choice((b"[]", b"null", b"1", b'"round"', f"[{text_of(round_)}]".encode())) + b"\n"


@bad_line
def not_utf_8(rng: Random, round_: Round) -> bytes:
    return text_of(round_ | {"x_name": "Jose"}).encode().replace(b"Jose", b"Jos\xe9") + b"\n"


@bad_line
def a_key_twice(rng: Random, round_: Round) -> bytes:
    text = text_of(round_)
    key = rng.choice(("v", "round", "table", "seats"))
    return f"{text[:-1]}, {json.dumps(key)}: {json.dumps(round_[key])}}}".encode() + b"\n"


@bad_line
def a_key_twice_within(rng: Random, round_: Round) -> bytes:
    text = text_of(round_)
    twice = rng.choice(('"result": {"x_a": 1, "x_a": 1, ', '"result": {"x_a": {"b": 1, "b": 2}, '))
    return text.replace('"result": {', twice, 1).encode() + b"\n"


@bad_line
def too_long(rng: Random, round_: Round) -> bytes:
    return text_of(round_ | {"x_long": "x" * 1024 * 1024}).encode() + b"\n"


@bad_line
def too_deep(rng: Random, round_: Round) -> bytes:
    levels = rng.choice((8, 9, 40))
    return f'{text_of(round_)[:-1]}, "x_deep": {"[" * levels}{"]" * levels}}}'.encode() + b"\n"


@bad_line
def a_number_that_is_none(rng: Random, round_: Round) -> bytes:
    number = rng.choice(("NaN", "Infinity", "01", "+1", "1.", ".5", "0x10", "1_000"))
    return f'{text_of(round_)[:-1]}, "x_number": {number}}}'.encode() + b"\n"


@bad_line
def an_amount_that_is_no_integer_literal(rng: Random, round_: Round) -> bytes:
    key = next(iter(round_["seats"][0]["result"]))
    value = round_["seats"][0]["result"][key]
    text = text_of(round_)
    at = text.index('"result": {')
    literal = rng.choice((f"{value}.0", f"{value}.5", f"{value}e0", f'"{value}"', "true", "null"))
    spoiled = text[at:].replace(f'"{key}": {value}', f'"{key}": {literal}', 1)
    return (text[:at] + spoiled).encode() + b"\n"


@bad_line
def an_unescaped_control_sign(rng: Random, round_: Round) -> bytes:
    return f'{text_of(round_)[:-1]}, "x_tab": "a\tb"}}'.encode() + b"\n"


# --- fields of every round -------------------------------------------------------------------


@changed()
def a_field_left_out(rng: Random, round_: Round) -> None:
    del round_[rng.choice(("v", "round", "game", "table", "at", "seats"))]


@changed()
def an_unknown_field(rng: Random, round_: Round) -> None:
    spot = rng.choice((round_, round_["seats"][-1], round_["seats"][0]["result"]))
    spot[rng.choice(("note", "X_note", "tips", "", "pot_", "Seat"))] = 1


@changed()
def a_field_of_another_game(rng: Random, round_: Round) -> None:
    other = {"pyramid-poker": ("unit", 100), "showdown": ("unit", 100)}
    field, value = other.get(round_["game"], ("bank", 100))
    round_[field] = value


@changed()
def another_version(rng: Random, round_: Round) -> None:
    round_["v"] = rng.choice((0, 3, "1", 1.0, True, None))


@changed()
def a_misspelled_id(rng: Random, round_: Round) -> None:
    round_[rng.choice(("round", "table"))] = rng.choice(("", "a b", "ä", "x" * 65, 7, None, "a/b"))


@changed()
def an_unknown_game(rng: Random, round_: Round) -> None:
    round_["game"] = rng.choice(("poker", "Pyramid-Poker", "", None, 1))


@changed()
def no_time(rng: Random, round_: Round) -> None:
    round_[rng.choice(("at", "from"))] = rng.choice(
        (
            "2019-05-04T20:15:03",
            "2019-05-04",
            "2019-02-29T20:15:03Z",
            "2019-05-04T24:15:03Z",
            "2019-05-04T20:15:03+0700",
            "2019-05-04T20:15Z",
            "04.05.2019 20:15:03",
            "2019-05-04T20:15:03.Z",
            "2019-05-04T20:15:03+24:00",
            "",
            1557000903,
            None,
        )
    )


@changed()
def decks_out_of_range(rng: Random, round_: Round) -> None:
    round_["decks"] = rng.choice((0, 101, -1, "6", 6.0, None))


@changed()
def a_shuffler_that_is_no_boolean(rng: Random, round_: Round) -> None:
    round_["shuffler"] = rng.choice((0, 1, "true", None))


@changed()
def a_deck_that_is_no_string(rng: Random, round_: Round) -> None:
    round_["deck"] = rng.choice((1, None, ["red"]))


@changed()
def a_void_that_is_no_string(rng: Random, round_: Round) -> None:
    round_["void"] = rng.choice((False, 0, []))


@changed()
def no_seats(rng: Random, round_: Round) -> None:
    round_["seats"] = rng.choice(([], {}, None, [1], [[]], "1"))


@changed()
def a_seat_number_out_of_range(rng: Random, round_: Round) -> None:
    round_["seats"][0]["seat"] = rng.choice((0, -1, "1", 1.0, None, True))


@changed()
def a_seat_number_twice(rng: Random, round_: Round) -> None:
    round_["seats"].append(deepcopy(round_["seats"][0]))


@changed()
def a_misspelled_player(rng: Random, round_: Round) -> None:
    round_["seats"][0]["player"] = rng.choice(("", "Jane Doe", "x" * 65, None, 3))


@changed()
def a_result_left_out(rng: Random, round_: Round) -> None:
    seat = rng.choice(round_["seats"])
    if rng.random() < 0.3:
        del seat["result"]
    else:
        del seat["result"][rng.choice(list(seat["result"]))]


@changed()
def a_result_out_of_range(rng: Random, round_: Round) -> None:
    result = rng.choice(round_["seats"])["result"]
    result[rng.choice(list(result))] = rng.choice((10**15 + 1, -(10**15) - 1, 10**30, 10**400))


# --- fields of some games --------------------------------------------------------------------


@changed("wagers")
def a_wager_out_of_range(rng: Random, round_: Round) -> None:
    wagers = rng.choice(round_["seats"])["wagers"]
    wagers[rng.choice(list(wagers))] = rng.choice((-1, 10**12 + 1, 10**40, 2.5, "100", None, True))


@changed("wagers")
def a_wager_left_out(rng: Random, round_: Round) -> None:
    wagers = rng.choice(round_["seats"])["wagers"]
    del wagers[rng.choice(list(wagers))]


@changed("cards")
def a_misspelled_card(rng: Random, round_: Round) -> None:
    seat = round_["seats"][0]
    cards = seat["cards"].split(" ")
    cards[0] = rng.choice(("1s", "10s", "as", "AS", "A", "Asd", "Jo=As", "JO", "jo", "", "Xs"))
    seat["cards"] = " ".join(cards)


@changed("cards")
def cards_apart_otherwise(rng: Random, round_: Round) -> None:
    seat = round_["seats"][0]
    seat["cards"] = rng.choice(
        (
            seat["cards"].replace(" ", "  ", 1),
            seat["cards"].replace(" ", ",", 1),
            seat["cards"].replace(" ", "\t", 1),
            " " + seat["cards"],
            seat["cards"] + " ",
        )
    )


@changed("cards")
def cards_that_are_no_string(rng: Random, round_: Round) -> None:
    seat = round_["seats"][0]
    seat["cards"] = rng.choice((seat["cards"].split(" "), None, 7))


@changed("low")
def an_unnamed_joker_set_low(rng: Random, round_: Round) -> None:
    round_["seats"][0]["low"] = rng.choice(("Jo", "Jo=", "Jo=Jo", "Jo=as"))


@changed("hands")
def an_unnamed_joker_in_a_hand(rng: Random, round_: Round) -> None:
    hands = round_["seats"][0]["hands"]
    hands[0] = rng.choice(("Jo", "Jo=", "Jo=Jo", "Jo= As"))


@changed("hands")
def another_number_of_hands(rng: Random, round_: Round) -> None:
    seat = round_["seats"][0]
    seat["hands"] = rng.choice((seat["hands"][:-1], [*seat["hands"], "As"], "As", None))


@changed("house")
def no_house(rng: Random, round_: Round) -> None:
    if rng.random() < 0.5:
        del round_["house"]
    else:
        del round_["house"]["cards"]


@changed("banker")
def a_banker_without_a_seat(rng: Random, round_: Round) -> None:
    round_["banker"] = rng.choice((99, 0, "1", None))


@changed("banker")
def half_a_bank(rng: Random, round_: Round) -> None:
    if rng.random() < 0.5:
        del round_[rng.choice(("bank", "banker"))]
    else:
        del round_["house"][rng.choice(("wager", "result"))]


@changed("banker")
def a_bank_out_of_range(rng: Random, round_: Round) -> None:
    round_["bank"] = rng.choice((-1, 10**12 + 1, 1.5, "5", None))


@changed("dealer")
def a_dealer_without_a_seat(rng: Random, round_: Round) -> None:
    round_["dealer"] = rng.choice((99, 0, "1", None))


@changed("chip")
def a_chip_out_of_range(rng: Random, round_: Round) -> None:
    round_["chip"] = rng.choice((0, -1, 10**12 + 1, 0.5, "1", None))


@changed("unit")
def a_unit_out_of_range(rng: Random, round_: Round) -> None:
    round_["unit"] = rng.choice((0, -1, 10**12 + 1, 0.5, "1", None))


@changed("scoring")
def an_unknown_scoring(rng: Random, round_: Round) -> None:
    round_["scoring"] = rng.choice(("", "3-5", 1, None, "Unit"))


@changed("play")
def an_unknown_play(rng: Random, round_: Round) -> None:
    round_["seats"][0]["play"] = rng.choice(("", "raise", "Fold", 1, None))


@changed("front")
def half_a_set(rng: Random, round_: Round) -> None:
    del round_["seats"][0][rng.choice(("front", "middle", "back"))]


@changed("front")
def an_unknown_natural(rng: Random, round_: Round) -> None:
    round_["seats"][0]["natural"] = rng.choice(("", "thirteen", "three_straights", None))
