"""Faults of a table's sequence, void rounds, and what the controls don't allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .planting import Round, any_seat, fault

if TYPE_CHECKING:
    from random import Random


@fault("deal.alternation", "pick-2-poker")
def another_deck(rng: Random, round_: Round) -> bool:
    round_["deck"] = rng.choice(("red", "blue", "green", ""))
    round_["shuffler"] = rng.random() < 0.9
    return True


@fault("deal.second_deck", "pick-2-poker")
def by_hand_from_some_deck(rng: Random, round_: Round) -> bool:
    round_ |= {"shuffler": False, "deck": rng.choice(("red", "red", "blue", "worn"))}
    return True


@fault("log.sequence")
def at_an_earlier_time(rng: Random, round_: Round) -> bool:
    round_["at"] = rng.choice(("2019-05-04T17:00:00-07:00", "2019-05-05T00:00:00.25Z"))
    return True


@fault("log.sequence")
def an_id_of_the_first_round(rng: Random, round_: Round) -> bool:
    del rng
    round_["round"] = f"{round_['table']}-{round_['game']}-00000"
    return True


REASONS = (
    "",
    "power failure",
    "fire alarm",
    "card face up",
    "wrong number of cards",
    "dealer card exposed",
    "shuffler fault",
    "Shuffler fault",
)


@fault("void.missing")
def played_in_spite_of_it(rng: Random, round_: Round) -> bool:
    """Log what happened, which voids the round or not, and perhaps deal a wrong number of cards."""
    round_ |= {"v": 2, "irregularities": rng.sample(REASONS[1:], rng.randint(0, 2))}
    if rng.random() < 0.3:
        round_ |= {"shuffler": rng.random() < 0.8}
    return True


@fault("void")
def called_void(rng: Random, round_: Round) -> bool:
    round_["void"] = rng.choice(REASONS)
    for seat in round_["seats"]:
        if rng.random() < 0.9:
            seat["result"] = dict.fromkeys(seat["result"], 0)
    if "banker" in round_ and rng.random() < 0.7:
        round_["house"]["result"] = 0
    if rng.random() < 0.5:
        leave_out_play(rng, round_)
    return True


def leave_out_play(rng: Random, round_: Round) -> None:
    """Leave out the deal and play, which a void round may omit."""
    if "house" in round_ and rng.random() < 0.5:
        del round_["house"]
    for seat in round_["seats"]:
        for part in ("cards", "low", "three", "play", "hands", "front", "middle", "back"):
            # Next to `hands`, a play that isn't a showdown would be another form.
            if part in seat and rng.random() < 0.5 and (part != "play" or "hands" not in seat):
                del seat[part]


@fault("approval.controls", "chinese-poker")
def another_scoring(rng: Random, round_: Round) -> bool:
    round_["scoring"] = rng.choice(("unit", "2-4", "1-6"))
    return True


@fault("irregular", "chinese-poker")
def a_surrender(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    if "front" not in seat:
        return False
    seat["cards"] = " ".join(seat.pop(part) for part in ("front", "middle", "back"))
    seat["play"] = "surrender"
    seat.pop("natural", None)
    return True


@fault("none")
def fields_of_ones_own(rng: Random, round_: Round) -> bool:
    """Add fields that begin with `x_`, which is no fault: they are ignored in any object."""
    seat = any_seat(rng, round_)
    for one in filter(
        None, (round_, seat, seat["result"], seat.get("wagers"), round_.get("house"))
    ):
        one["x_note"] = {"x": [1.5, None, {"cards": "??"}]}
    return True
