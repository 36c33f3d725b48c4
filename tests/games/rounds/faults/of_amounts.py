"""Wrong results, wagers, limits and banks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .planting import WITH_WAGERS, Round, Seat, any_seat, fault, result_key

if TYPE_CHECKING:
    from random import Random


@fault("settlement")
def wrong_result(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    key = result_key(rng, seat)
    seat["result"][key] += rng.choice((-1, 1)) * rng.choice((1, 100, rng.randint(1, 10**6)))
    return True


@fault("settlement")
def result_with_the_sign_turned(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    key = result_key(rng, seat)
    seat["result"][key] *= -1
    return bool(seat["result"][key])


@fault("settlement", "pyramid-poker", "chinese-poker", "showdown")
def one_player_paid_for_another(rng: Random, round_: Round) -> bool:
    """Keep the sum: two seats are wrong, but the balance isn't."""
    if len(round_["seats"]) < 2:
        return False
    one, other = rng.sample(round_["seats"], 2)
    key = result_key(rng, one)
    one["result"][key] += 100
    other["result"][key] -= 100
    return True


@fault("settlement.main", "pyramid-poker")
def wrong_house_result(rng: Random, round_: Round) -> bool:
    if "result" not in round_.get("house", {}):
        return False
    round_["house"]["result"] += rng.choice((-100, 1))
    return True


def wager_of(rng: Random, seat: Seat) -> str:
    wagers: list[str] = [key for key in seat["wagers"] if not key.startswith("x_")]
    return rng.choice(wagers)


@fault("wager.missing", *WITH_WAGERS)
def no_wager(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    seat["wagers"][wager_of(rng, seat)] = 0
    return True


@fault("wager.relation", "pick-2-poker", "casino-version")
def wager_out_of_relation(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    wager = rng.choice([key for key in seat["wagers"] if key != "ante" and key[:2] != "x_"])
    seat["wagers"][wager] += rng.choice((1, 500))
    return True


@fault("limit.table", *WITH_WAGERS)
def wager_outside_its_limits(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    seat["wagers"][wager_of(rng, seat)] = rng.choice((1, 499, 20_001, 45_001, 10**12))
    return True


@fault("limit.unit", "chinese-poker")
def a_unit_over_ten_dollars(rng: Random, round_: Round) -> bool:
    round_["unit"] = rng.choice((1001, 5000, 10**12))
    return True


@fault("limit.players", "pyramid-poker", "chinese-poker", "pick-2-poker", "casino-version")
def a_crowd(rng: Random, round_: Round) -> bool:
    """Add seats, each a copy of one: the number of players counts, and the cards repeat."""
    seat = any_seat(rng, round_)
    highest = max(other["seat"] for other in round_["seats"])
    for more in range(1, rng.choice((4, 7, 10))):
        copy = {**seat, "seat": highest + more, "result": dict(seat["result"])}
        copy["player"] = f"q-{more}"
        if "wagers" in seat:
            copy["wagers"] = dict(seat["wagers"])
        if "hands" in seat:
            copy["hands"] = list(seat["hands"])
        round_["seats"].append(copy)
    return True


@fault("limit.players", "chinese-poker", "showdown")
def a_seat_alone(rng: Random, round_: Round) -> bool:
    seat = any_seat(rng, round_)
    round_["seats"] = [seat]
    if "dealer" in round_:
        round_["dealer"] = seat["seat"]
    return True


@fault("bank.cover", "pyramid-poker")
def too_small_a_bank(rng: Random, round_: Round) -> bool:
    if "bank" not in round_:
        return False
    round_["bank"] = max(0, round_["bank"] - rng.choice((1, 5001, 10**12)))
    return True


@fault("bank.house_wager", "pyramid-poker")
def too_large_a_house_wager(rng: Random, round_: Round) -> bool:
    if "banker" not in round_:
        return False
    round_["house"]["wager"] += rng.choice((1, 100_000))
    return True


@fault("bank.wager", "pyramid-poker")
def bankers_own_wagers(rng: Random, round_: Round) -> bool:
    for seat in round_["seats"]:
        if seat["seat"] == round_.get("banker"):
            seat["wagers"] = {
                "main": rng.choice((0, 1000)),
                "three_card": rng.choice((0, 1, 499, 1000)),
                "six_card": rng.choice((0, 1, 499, 1000)),
            }
            return True
    return False


@fault("bank.turn", "pyramid-poker")
def another_player_banks(rng: Random, round_: Round) -> bool:
    """Pass the bank in a round that the house should have banked, or to another seat."""
    round_["banker"] = any_seat(rng, round_)["seat"]
    round_["bank"] = 10**9
    round_["house"] = {"wager": 0, "result": 0, **round_["house"]}
    return True


@fault("limit.table", *WITH_WAGERS)
def wagers_as_large_as_they_go(rng: Random, round_: Round) -> bool:
    """Set every amount to its bound: products and proportions are still exact."""
    for seat in round_["seats"]:
        for wager in seat["wagers"]:
            if seat["wagers"][wager] and not wager.startswith("x_"):
                seat["wagers"][wager] = 10**12 - rng.choice((0, 0, 1))
        seat["result"] = dict.fromkeys(seat["result"], rng.choice((-1, 1)) * 10**15)
    return True


@fault("settlement", "showdown", "chinese-poker")
def stakes_as_large_as_they_go(rng: Random, round_: Round) -> bool:
    del rng
    round_["chip" if "chip" in round_ else "unit"] = 10**12
    return True
