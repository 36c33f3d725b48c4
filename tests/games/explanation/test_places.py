"""Which of the dealer's cards the rules set, by hand from the clauses."""

import pytest

from games.cards import show
from games.explanation.places import required_of_banker, required_of_dealer
from games.log.form import read_line
from games.log.round import Round
from games.setup import Setup
from tests.games.written_rounds import as_line, pick_2_seat, pyramid_seat, round_of


def read(game: str, seat: dict, **head: object) -> Round:
    read = read_line(as_line(round_of(game, [seat], **head)))
    assert isinstance(read, Round), read
    return read


def pyramid(cards: str, low: str, **head: object) -> Round:
    seat = pyramid_seat("As Jd 9c", "Jd", (1000, 1000, 1000), player="p-1")
    return read("pyramid-poker", seat, house={"cards": cards, "low": low}, **head)


@pytest.mark.parametrize(
    ("cards", "low", "wanted"),
    [
        ("Kd Ts 8c", "8c", "Ts"),  # PP-17: without a pair the middle card is low
        ("Kd Ts 8c", "Ts", "Ts"),
        ("9d 9s 8c", "9s", "8c"),  # PP-16: a pair below jacks is the high hand
        ("Kd Ks 2c", "Ks", "Ks"),  # PP-15: the pair is split; either king will do
        ("Kd Ks 2c", "2c", "Kd"),
        ("7d 7s 7c", "7c", "7c"),  # PP-14: three of a kind is split
    ],
)
def test_dealer_low_card_follows_house_way(cards, low, wanted):
    assert show(required_of_dealer(pyramid(cards, low), Setup())) == wanted


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        ("As Kc 9c", {"As", "Kc", "9c"}),
        ("5h 3s 9c", {"As", "Kc", "9c"}),  # ace, king, nine high is the best three of these
        (None, {"As", "Kc", "9c"}),
    ],
)
def test_dealer_best_three_of_five(shown, wanted):
    house = {"cards": "As Kc 9c 5h 3s"} | ({} if shown is None else {"three": shown})
    seat = pick_2_seat("Kd Jh 8c 5s 2d", "fold")
    ruled = required_of_dealer(read("pick-2-poker", seat, house=house), Setup())
    assert set(show(ruled).split()) == wanted


def test_fouled_banker_alone_is_reset():
    seat = pyramid_seat("As Jd 9c", "As", (0, 1000, 1000), player="p-1")
    house = {"cards": "Kd Ts 8c", "low": "Ts", "wager": 0, "result": 0}
    banked = read("pyramid-poker", seat, house=house, banker=1, bank=100_000)
    assert show(required_of_banker(banked, banked.seats[0], Setup())) == "Jd"
    alone = read("pyramid-poker", seat, house={"cards": "Kd Ts 8c", "low": "Ts"})
    assert required_of_banker(alone, alone.seats[0], Setup()) == b""
