"""What the audit of a filed game finds in a round, and what it bases that on."""

import pytest

from tests.games.families.filed_games import audit, line, read

TCP, LIR, MISS = "three-card-poker", "let-it-ride", "mississippi-stud"


def seat(**changes):
    return {
        "seat": 1,
        "cards": "Ks 8d 2c",
        "choices": {"play": "raise"},
        "wagers": {"ante": 500, "play": 500, "pair_plus": 0, "six_card": 0},
        "result": {"ante": 500, "play": 0, "pair_plus": 0, "six_card": 0},
        **changes,
    }


def tcp(*seats, dealer="Jh 9d 4c", **fields):
    return line(TCP, list(seats), house={"cards": dealer}, **fields)


def found(verdict):
    return [(each.code, each.seat, each.wager, each.delta) for each in verdict.findings]


def test_correct_round_has_no_finding():
    verdict = audit(tcp(seat()), TCP)
    assert verdict.status == "ok"
    assert verdict.seats == ((1, {"ante": 500, "play": 0, "pair_plus": 0, "six_card": 0}),)


def test_wrong_payout_cites_the_clause_that_decides():
    result = {"ante": 500, "play": 500, "pair_plus": 0, "six_card": 0}
    verdict = audit(tcp(seat(result=result)), TCP)
    assert found(verdict) == [("settlement.play", 1, "play", 500)]
    assert verdict.findings[0].cites == ("TC-5",)


@pytest.mark.parametrize("chosen", ['"flush_3"', '{"flush": 3}'])
def test_pay_table_is_chosen_by_setup(chosen):
    wagers = {"ante": 500, "play": 500, "pair_plus": 500, "six_card": 0}
    won = {"ante": 500, "play": 0, "pair_plus": 1500, "six_card": 0}
    text = tcp(seat(cards="Ks 8s 2s", wagers=wagers, result=won))
    assert found(audit(text, TCP)) == [("settlement.pair_plus", 1, "pair_plus", -500)]
    setup = f'{{"pay_tables": {{"three-card-poker": {{"pair_plus": {chosen}}}}}}}'
    assert found(audit(text, TCP, setup=setup)) == []


def test_reading_is_chosen_by_setup():
    push = {"ante": 0, "play": 0, "pair_plus": 0, "six_card": 0}
    text = tcp(seat(cards="As 9c 4d", result=push), dealer="Ah 9d 4c")
    assert audit(text, TCP).status == "ok"
    verdict = audit(text, TCP, setup='{"interpretations": {"TC-I1": "dealer_wins"}}')
    assert found(verdict) == [
        ("settlement.ante", 1, "ante", 500),
        ("settlement.play", 1, "play", 500),
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"wagers": {"ante": 500, "play": 0, "pair_plus": 0, "six_card": 0}},
         [("wager.missing", 1, "play", 0), ("wager.relation", 1, "play", 0)]),
        ({"wagers": {"ante": 500, "play": 400, "pair_plus": 0, "six_card": 0}},
         [("wager.relation", 1, "play", 0)]),
        ({"cards": "Ks 8d"}, [("deal.count", 1, None, 0)]),
        ({"cards": "Ks 8d Jh"}, [("deal.duplicate", None, None, 0)]),
        ({"cards": "Ks 8d Jo"}, [("deal.duplicate", None, None, 0)]),
    ],
)  # fmt: skip
def test_procedure_that_is_broken(changes, expected):
    assert found(audit(tcp(seat(**changes)), TCP)) == expected


def test_seat_with_too_few_cards_is_not_settled():
    verdict = audit(tcp(seat(cards="Ks 8d")), TCP)
    assert verdict.seats == ((1, None),)
    assert verdict.findings[0].cites == ("TC-2",)


def test_wrong_dealer_hand_is_irregular():
    verdict = audit(tcp(seat(), dealer="Jh 9d"), TCP)
    assert verdict.status == "irregular"
    assert found(verdict) == [("deal.count", None, None, 0), ("irregular", None, None, 0)]


def test_every_finding_cites_something():
    text = tcp(
        *(seat(seat=n, wagers={"ante": 0, "play": 5, "pair_plus": 0, "six_card": 0})
          for n in range(1, 9)),
        decks=2,
    )  # fmt: skip
    setup = '{"limits": {"T1": {"play": [100, 200]}}, "cap": 3}'
    verdict = audit(text, TCP, setup=setup)
    codes = {each.code for each in verdict.findings}
    assert {"limit.players", "deal.shoe", "limit.table_min", "limit.wac"} <= codes
    assert all(each.cites for each in verdict.findings)


def test_dealer_without_cards_is_fine_when_all_folded():
    folded = seat(
        choices={"play": "fold"},
        wagers={"ante": 500, "play": 0, "pair_plus": 500, "six_card": 0},
        result={"ante": -500, "play": 0, "pair_plus": -500, "six_card": 0},
    )
    assert audit(line(TCP, [folded]), TCP).status == "ok"


def test_wager_on_cards_not_dealt_is_not_settled():
    folded = seat(
        choices={"play": "fold"},
        wagers={"ante": 500, "play": 0, "pair_plus": 0, "six_card": 500},
        result={"ante": -500, "play": 0, "pair_plus": 0, "six_card": 99},
    )
    verdict = audit(line(TCP, [folded]), TCP)
    assert verdict.seats == ((1, {"ante": -500, "play": 0, "pair_plus": 0}),)


def test_irregularity_that_voids_takes_precedence():
    verdict = audit(tcp(seat(cards="Ks 8d"), irregularities=["wrong number of cards"]), TCP)
    assert verdict.status == "flagged"
    assert found(verdict) == [
        ("void.missing", None, None, 0),
        ("deal.count", 1, None, 0),
        ("settlement.ante", 1, "ante", 500),
    ]
    assert {each.cites for each in verdict.findings} == {("TC-11",), ("TC-2",)}


def test_void_round_needs_a_reason_and_pays_nothing():
    verdict = audit(tcp(seat(), void="player asked"), TCP)
    assert found(verdict) == [("void.reason", None, None, 0), ("void.result", 1, "ante", 500)]
    assert audit(line(TCP, [seat(result=dict.fromkeys(seat()["result"], 0))],
                      void="dealer card exposed"), TCP).status == "ok"  # fmt: skip


def let_it_ride(choices, **results):
    wagers = {"bet_1": 500, "bet_2": 500, "bet_3": 500, "three_card": 0}
    result = {"bet_1": 0, "bet_2": 0, "bet_3": 0, "three_card": 0, **results}
    hand = {"seat": 1, "cards": "Js Jd 3c", "choices": choices, "wagers": wagers, "result": result}
    return line(LIR, [hand], community="9h 2d")


def test_returned_wager_wins_nothing():
    choices = {"first": "take_back", "second": "let_it_ride"}
    assert audit(let_it_ride(choices, bet_2=500, bet_3=500), LIR).status == "ok"
    verdict = audit(let_it_ride(choices, bet_1=500, bet_2=500, bet_3=500), LIR)
    assert found(verdict) == [("settlement.bet_1", 1, "bet_1", 500)]


def test_community_cards_may_stop_when_all_folded():
    none = {"ante": 500, "third_street": 0, "fourth_street": 0, "fifth_street": 0}
    hand = {"seat": 1, "cards": "7s 2c", "choices": {"third": "fold"}, "wagers": none,
            "result": {**dict.fromkeys(none, 0), "ante": -500}}  # fmt: skip
    assert audit(line(MISS, [hand]), MISS).status == "ok"
    assert audit(line(MISS, [hand], community="7h Kd"), MISS).status == "ok"
    assert audit(line(MISS, [hand], community="7h Kd 2s 3s"), MISS).status == "irregular"


def test_choice_after_the_last_is_a_finding():
    wagers = {"ante": 500, "third_street": 0, "fourth_street": 500, "fifth_street": 0}
    result = {"ante": -500, "third_street": 0, "fourth_street": -500, "fifth_street": 0}
    hand = {"seat": 1, "cards": "7s 2c", "choices": {"third": "fold", "fourth": "1x"},
            "wagers": wagers, "result": result}  # fmt: skip
    verdict = audit(line(MISS, [hand], community="7h Kd 2s"), MISS)
    assert found(verdict) == [("play.choice", 1, None, 0)]


@pytest.mark.parametrize(
    ("text", "field", "reason"),
    [
        (tcp(seat(choices={})), "seats[0].choices.play", "`play` is missing"),
        (tcp(seat(choices={"play": "call"})), "seats[0].choices.play", "`fold`, `raise`"),
        (tcp(seat(wagers={"ante": 500})), "seats[0].wagers.play", "`play` is missing"),
        (tcp(seat(), seat()), "seats[1].seat", "seat 1 appears twice"),
        (line(TCP, [seat()]), "house", "`house` is missing"),
        (tcp(seat(), v=1), "v", 'write "v": 2'),
        (tcp(seat(), community="2d"), "community", "not a field"),
    ],
)
def test_line_without_the_form_is_rejected(text, field, reason):
    rejection = read(text, TCP)
    assert rejection.field == field
    assert reason in rejection.reason
