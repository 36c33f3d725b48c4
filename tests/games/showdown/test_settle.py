"""Showdown settlement: pairs of players, surrenders, the pot, fouls, unsettleable rounds."""

from __future__ import annotations

import pytest

from games.setup import Setup
from games.showdown.play import settle
from games.showdown.settle import PLAYED, SEAT, put_in, take_pot
from tests.games.showdown.sets import KEYS, gone, showdown, shown
from tests.games.showdown.test_sets import REGULAR, kind, run, with_hands

RULES = Setup()
MULTIPLES = Setup(interpretations={"SD-I1": "multiples"})

STRONG = ["Ac", "5c 5d 5h", "6c 6d 6h", "7c 7d 7h", "9c 9d 9h 9s 2c", run(5)]
FOULED = ["As", *REGULAR[1:]]


def results(seats, setup=RULES, **fields):
    outcome = settle(showdown(seats, **fields), setup)
    assert outcome.irregular is None, outcome.irregular
    return {key: [seat.amounts[key] for seat in outcome.seats] for key in KEYS}


def codes(outcome):
    return {(found.code, found.seat) for found in outcome.findings}


def test_special_value_counts_for_winner_sd_14_sd_15():
    # hand 1 a point, trips in 2, 3, 4: 9, 6, 3; four of a kind in 5: 8; a run of five in 6: 5
    assert results([STRONG, REGULAR])["showdown"] == [32, -32]
    assert results([REGULAR, STRONG], chip=250)["showdown"] == [-8_000, 8_000]


def test_only_the_winners_value_counts():
    above = {"h5": "6d 5c 4h 3s 2d", "h6": run(5)}
    mine = with_hands(h4="8c 8d 8h", **above)
    theirs = with_hands(h1="3c", h4="7c 7d 7h", **above)
    assert results([mine, theirs])["showdown"] == [3 - 1, 1 - 3]


def test_draw_pays_nothing_after_suits_sd_18_sd_19_sd_20():
    assert results([REGULAR, REGULAR])["showdown"] == [0, 0]
    assert results([with_hands(h1="2d"), REGULAR])["showdown"] == [1, -1]
    assert results([with_hands(h6="Jh 6c 4h 3s 2d"), REGULAR])["showdown"] == [1, -1]
    assert results([with_hands(h6="Jd 7c 4h 3s 2d"), REGULAR])["showdown"] == [1, -1]


def test_hands_of_one_place_and_size_differ_sd_i2():
    expanded = with_hands(h4="7d 7c 7h 5s 5d", h5=kind(5), h6=run(6))
    plain = with_hands(h4="Ac Kc 2c", h5=kind(5), h6=run(6))
    assert results([expanded, plain])["showdown"] == [4, -4]


def test_the_multiples_change_what_a_long_hand_scores_sd_i1():
    long = with_hands(h5=run(6), h6=run(7))
    assert results([long, REGULAR])["showdown"] == [18 + 11, -29]
    assert results([long, REGULAR], MULTIPLES)["showdown"] == [16 + 11, -27]


def test_fouled_set_loses_six_hands_and_pot_sd_i5():
    outcome = results([STRONG, FOULED, REGULAR])
    assert outcome["showdown"] == [32 + 32, -32 - 6, -32 + 6]
    assert outcome["pot"] == [60, -30, -30]


def test_two_fouled_sets_are_level_sd_i5():
    assert results([FOULED, REGULAR, FOULED])["showdown"] == [-6, 12, -6]


def test_fouled_set_cannot_take_the_pot_alone_sd_i5():
    """Against two others that foul it breaks even, so its total can be the highest."""
    totals, pot = [0, -6], [0, 0]
    table = [0] * (2 * SEAT)
    table[SEAT - 1] = 1
    take_pot(totals, [PLAYED, PLAYED], table, 2, 0, pot)
    assert pot == [-30, 30]


def test_documents_score_card_gives_pot_to_the_first_sd_16():
    nets = {(1, 2): -10, (1, 3): 5, (1, 4): 20, (2, 3): -20, (2, 4): 5, (3, 4): -8}
    totals = [
        sum(net if i == a else -net for (a, b), net in nets.items() if i in (a, b))
        for i in range(1, 5)
    ]
    assert totals == [15, -5, 7, -17]
    pot = [0] * 4
    take_pot(totals, [PLAYED] * 4, [0] * (4 * SEAT), 4, 0, pot)
    assert pot == [90, -30, -30, -30]


@pytest.mark.parametrize(
    ("plays", "chips"),
    [
        ([0] * 6, 60),
        ([0, *[1] * 5], 110),
        ([0, 1, *[2] * 4], 150),
    ],
)
def test_the_pot_of_a_typical_game_sd_3_sd_4_sd_5_sd_21(plays, chips):
    assert sum(put_in(play) for play in plays) == chips


def test_surrenders_pay_those_who_stay_sd_4_sd_5_sd_i13():
    seats = [
        gone("surrender-20"),
        gone("surrender-23"),
        REGULAR,
        STRONG,
        FOULED,
        gone("surrender-20"),
    ]
    outcome = results(seats)
    # at the first declaration four stay: 5 each from two; at the second three: 10 each from one
    assert outcome["surrender"] == [-20, 10 - 30, 10 + 10, 20, 20, -20]
    # 10 + 20 + 3 x 30 + 10 in the pot
    assert outcome["pot"] == [-10, -20, -30, 130 - 30, -30, -10]
    assert outcome["showdown"][:2] == [0, 0]


def test_the_value_of_a_chip_is_what_the_log_says_sd_2():
    assert results([gone("surrender-20"), REGULAR, STRONG], chip=500)["surrender"] == [
        -5_000,
        2_500,
        2_500,
    ]


@pytest.mark.parametrize("cards", [20, 23, 25])
def test_last_player_takes_pot_without_showdown_sd_i7(cards):
    last = gone("last", " ".join(["As"] * cards))
    assert results([gone("surrender-20"), last, gone("surrender-20")]) == {
        "showdown": [0, 0, 0],
        "surrender": [-5, 10, -5],
        "pot": [-10, 20, -10],
    }


def test_last_after_second_declaration_takes_all_sd_i7():
    assert results([gone("surrender-20"), gone("last"), gone("surrender-23")]) == {
        "showdown": [0, 0, 0],
        "surrender": [-10, 15, 5 - 10],
        "pot": [-10, 30, -20],
    }


def test_the_only_one_left_needs_no_proper_set_sd_i7():
    assert results([gone("surrender-23"), FOULED])["pot"] == [-20, 20]


@pytest.mark.parametrize(
    ("winners", "dealer", "pot"),
    [
        # 10 + 20 + 4 x 30 = 150 chips: 37 each and two odd chips among four
        ((2, 3, 4, 5), 1, [8, 8, 7, 7]),
        ((2, 3, 4, 5), 3, [7, 7, 8, 8]),
        ((2, 3, 4, 5), 5, [8, 8, 7, 7]),
        ((2, 3, 4, 5), 6, [8, 8, 7, 7]),
        ((2, 3, 4, 5), 2, [7, 8, 8, 7]),
        ((2, 3, 4, 5), 4, [8, 7, 7, 8]),
    ],
)
def test_odd_chips_go_from_dealers_left_sd_i6(winners, dealer, pot):
    seats = [gone("surrender-20"), REGULAR, REGULAR, REGULAR, REGULAR, gone("surrender-23")]
    outcome = results(seats, dealer=dealer)["pot"]
    assert [outcome[seat - 1] for seat in winners] == pot
    assert sum(outcome) == 0


def test_two_tied_players_split_the_pot_sd_i6():
    assert results([STRONG, REGULAR, STRONG])["pot"] == [15, -30, 15]


@pytest.mark.parametrize(
    ("seats", "clause"),
    [
        ([gone("surrender-20"), gone("surrender-20")], "SD-I8"),
        ([gone("surrender-20"), gone("surrender-23"), gone("surrender-23")], "SD-I8"),
        ([FOULED, FOULED], "SD-I14"),
        ([FOULED, FOULED, gone("surrender-20")], "SD-I14"),
        ([gone("last"), REGULAR], "SD-I7"),
        ([gone("last"), gone("last")], "SD-I7"),
        ([REGULAR], "SD-1"),
    ],
)
def test_endless_cases_of_the_rules_are_irregular_sd_i8_sd_i14(seats, clause):
    outcome = settle(showdown(seats), RULES)
    assert outcome.irregular
    assert clause in outcome.irregular_cites
    assert outcome.seats == ()


@pytest.mark.parametrize(
    ("seat", "code"),
    [
        (gone("surrender-20", " ".join(["As"] * 23)), "deal.count"),
        (gone("surrender-23", " ".join(["As"] * 20)), "deal.count"),
        (gone("last", " ".join(["As"] * 24)), "deal.count"),
        (shown([*REGULAR[:5], "Jd 6c 4h 3s"]), "setting.cards"),  # 19 cards
        (shown(REGULAR, " ".join(["2c"] * 25)), "setting.cards"),
        (shown([*REGULAR[:5], "Jo=Jd 6c 4h 3s 2d"], shown(REGULAR)["cards"]), "setting.cards"),
    ],
)
def test_unsettleable_cards_are_irregular_sd_3_to_sd_6(seat, code):
    outcome = settle(showdown([REGULAR, seat]), RULES)
    assert outcome.irregular
    assert (code, 2) in codes(outcome)


def test_twenty_to_twenty_five_cards_may_be_used_sd_6():
    assert codes(settle(showdown([REGULAR, STRONG]), RULES)) == set()
    all_used = with_hands(h4=kind(5, "7"), h5=run(6), h6=run(7))
    assert sum(len(hand.split()) for hand in all_used) == 25
    assert codes(settle(showdown([all_used, STRONG]), RULES)) == set()


def test_each_key_is_balanced_by_itself():
    seats = [shown(REGULAR), shown(STRONG)]
    seats[0] = {**seats[0], "result": {"showdown": -32, "surrender": 5, "pot": -30}}
    seats[1] = {**seats[1], "result": {"showdown": 32, "surrender": 0, "pot": 20}}
    found = settle(showdown(seats), RULES).findings
    assert {(item.code, item.seat, item.wager, item.delta) for item in found} == {
        ("settlement.balance", None, "surrender", 5),
        ("settlement.balance", None, "pot", -10),
    }


def test_every_two_players_meetings_add_up_to_their_totals():
    seats = [STRONG, REGULAR, FOULED, gone("surrender-23"), with_hands(h6=run(8))]
    outcome = settle(showdown(seats, chip=3), RULES)
    for i, seat in enumerate(outcome.seats, start=1):
        for key in ("showdown", "surrender"):
            met = [m for m in outcome.meetings if m.key == key]
            mine = sum(m.amount for m in met if m.seat == i) - sum(
                m.amount for m in met if m.other == i
            )
            assert mine == seat.amounts[key]


def test_crowded_round_is_settled_like_any_table():
    kinds = [STRONG, REGULAR, FOULED, gone("surrender-20"), gone("surrender-23")]
    sets = kinds * 12
    whole, half = results(sets), results(sets[:30])
    # both halves have the same sets, so against the other half a player wins what it wins at home
    assert whole["showdown"] == [2 * total for total in half["showdown"]] * 2
    assert whole["surrender"] == [2 * total for total in half["surrender"]] * 2
    assert sum(whole["pot"]) == 0
