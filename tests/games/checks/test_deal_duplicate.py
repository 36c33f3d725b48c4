from tests.games.replayed import found, replayed_alone
from tests.games.written_rounds import (
    casino_seat,
    chinese_seat,
    dealt_from,
    pyramid_seat,
    round_of,
)

SEVEN_ACES = [pyramid_seat("As As As", "As"), pyramid_seat("As As As", "As"),
              pyramid_seat("As 2d 3c", "2d")]  # fmt: skip


def pyramid(*seats, **fields):
    return round_of(
        "pyramid-poker", list(seats), **{"house": {"cards": "Kd Ts 8c", "low": "Ts"}, **fields}
    )


def deals(answer):
    return [one for one in found(answer) if one[0].startswith("deal")]


def test_copies_count_over_all_hands_and_logged_decks():
    assert deals(replayed_alone(pyramid(*SEVEN_ACES))) == [("deal.duplicate", None, None)]
    assert deals(replayed_alone(pyramid(*SEVEN_ACES, decks=7))) == []
    assert deals(replayed_alone(pyramid(*SEVEN_ACES[:2]))) == []


def test_dealers_cards_count():
    house = {"cards": "As 8c 7c", "low": "8c"}
    assert deals(replayed_alone(pyramid(*SEVEN_ACES[:2], house=house))) == [
        ("deal.duplicate", None, None)
    ]


def test_several_repeated_cards_are_one_finding():
    seats = [pyramid_seat("As As Kd", "Kd") for _ in range(7)]
    assert deals(replayed_alone(pyramid(*seats, house={"cards": "8c 7c 6c", "low": "7c"}))) == [
        ("deal.duplicate", None, None)
    ]


def test_jokers_count_named_or_not():
    # CV-1: two jokers
    dealer = ["Jc", "Qd 9s Jo=2h", "4s 4h Jo=4d 9c 9h"]
    house = {"cards": dealt_from(dealer), "hands": dealer}
    mine = ["As", "7d 7c Kh", "Qh Th 8h 5h 3h"]
    line = round_of("casino-version", [casino_seat(mine)], house=house)
    assert deals(replayed_alone(line)) == []
    mine = ["As", "7d 7c Kh", "Qh Th 8h 5h Jo=3h"]
    line = round_of("casino-version", [casino_seat(mine)], house=house)
    assert deals(replayed_alone(line)) == [("deal.duplicate", None, None)]


def test_cards_set_are_not_counted_again():
    line = pyramid(*[pyramid_seat("As Jd 9c", "As") for _ in range(6)])
    assert deals(replayed_alone(line)) == []


def test_chinese_sets_are_the_cards_dealt():
    hands = "8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh"
    line = round_of(
        "chinese-poker", [chinese_seat(hands), chinese_seat(hands)], unit=100, scoring="unit"
    )
    assert ("deal.duplicate", None, None) in found(replayed_alone(line))
