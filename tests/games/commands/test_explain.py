"""`explain`: read beside the rule document, line by line; the expectations are written by hand."""

import gzip
import json
import subprocess
import sys

import pytest

from games.commands import explain
from tests.games.written_rounds import (
    as_line,
    casino_seat,
    chinese_seat,
    dealt_from,
    pick_2_seat,
    pyramid_seat,
    round_of,
)

STAKES = [(200, 100, 100), (300, 100, 100)]
KINGS = {"cards": "Kd Ks 7c", "low": "Kd"}


@pytest.fixture
def told(tmp_path, capsys):
    def tell(*rounds, id_="R-1", setup=None, options=()):
        log = tmp_path / "log.jsonl"
        log.write_bytes(b"".join(one if isinstance(one, bytes) else as_line(one) for one in rounds))
        call = [str(log), id_, *options]
        if setup is not None:
            (tmp_path / "setup.json").write_text(json.dumps(setup))
            call += ["--setup", str(tmp_path / "setup.json")]
        tell.status = explain.run(call)
        said = capsys.readouterr()
        tell.complaint = said.err
        return " ".join(said.out.split())

    return tell


def test_a_pyramid_hand_is_compared_low_with_low_and_high_with_high(told):
    # PP-15: kings beside a 7 are split, K low and K-7 high. Q-Q-9: 9 below K, Q-Q above K-7:
    # one better, one worse, a push (PP-11)
    seat = pyramid_seat("Qs Qd 9c", "9c", (2500, 500, 500))
    seat["result"] = {"main": 0, "three_card": 500, "six_card": 500}
    page = told(round_of("pyramid-poker", [seat], house=KINGS))
    assert "The House Way sets K low and K-7 high: a pair of kings beside a 7 is split." in page
    assert "Low: 9 against K, lower. [PP-9, PP-13] High: Q-Q against K-7, higher." in page
    assert "One hand each. [PP-11, PP-12, PP-13, PP-I3] Logged $0.00, expected $0.00." in page
    assert "One pair. [PP-28, PP-I5] Pays 1 to 1 on $5.00. Logged +$5.00, expected +$5.00." in page
    assert "With the house's Kd Ks 7c. [PP-21] Two pairs." in page
    assert "Status ok: nothing to find." in page
    assert "PP-11 Ahead on one and behind on the other: main is neither taken nor paid." in page


def test_a_straight_flush_paid_by_the_layout_is_told_as_twenty_times_too_much(told):
    # PP-28 pays 30 to 1, the layout prints 50 (PP-30): 50 x $1 logged, $30 right, $20 too much
    seat = pyramid_seat("9s 8s 7s", "8s", (100, 100, 100))
    seat["result"] = {"main": -100, "three_card": 5000, "six_card": 100}
    page = told(round_of("pyramid-poker", [seat], house=KINGS))
    assert "Straight flush. [PP-28, PP-I5] Pays 30 to 1 on $1.00." in page
    assert "Logged +$50.00, expected +$30.00: $20.00 too much." in page
    assert "settlement.three_card (money, seat 1, three_card)" in page
    assert "The log has $50.00, the rules give $30.00: $20.00 too much. [PP-28, PP-I5]" in page


def test_a_wrong_dealers_setting_names_the_house_way_clause(told):
    page = told(
        round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house={**KINGS, "low": "7c"})
    )
    assert "setting.dealer (procedure) The dealer's hand is not set as the rules say." in page
    assert "PP-15" in page


def test_a_fouled_hand_loses_main_and_keeps_the_other_wagers(told):
    # PP-6: an ace low above K-Q; three_card and six_card go on
    seat = pyramid_seat("As Kd Qc", "As")
    seat["result"] = {"main": -100, "three_card": 500, "six_card": -100}
    page = told(round_of("pyramid-poker", [seat], house={"cards": "2d 2s 7c", "low": "7c"}))
    assert "The low card outranks the high hand: a foul. [PP-6, PP-I4]" in page
    assert "Straight. [PP-28, PP-I5] Pays 5 to 1 on $1.00." in page


def test_a_maximum_aggregate_says_that_only_the_sum_is_judged(told):
    # PP-I8 odds_only: three aces win 20 + 10 to 1 on $100 each, cut to $2,500 in all
    seat = pyramid_seat("As Ad Ac", "As", (10_000, 10_000, 10_000))
    seat["result"] = {"main": 30_000, "three_card": 200_000, "six_card": 50_000}
    page = told(
        round_of("pyramid-poker", [seat], house={"cards": "Ah 5s 7c", "low": "7c"}),
        setup={"max_aggregate": 250_000},
    )
    assert "Four of a kind." in page
    # PP-I9: six_card is cut first, to 2,500 less 2,000; the log has 500, and any split will do
    assert (
        "Pays 10 to 1 on $100.00. The maximum aggregate payout binds; one may cut this to" in page
    )
    assert "Pays 20 to 1 on $100.00. The maximum aggregate payout binds; one may leave this" in page
    assert "Logged +$500.00, expected +$500.00: judged by the sum alone" in page
    assert "Status ok: nothing to find." in page


def test_a_chosen_reading_is_said_to_be_chosen(told):
    # PP-I1: K low and Q-J high on both sides; Pai Gow's copy rule takes it
    seat = pyramid_seat("Qs Kd 9c", "Qs")
    page = told(
        round_of("pyramid-poker", [seat], house={"cards": "Qd Kc 9h", "low": "Qd"}),
        setup={"interpretations": {"PP-I1": "dealer_wins"}},
    )
    assert "The approved controls read PP-I1 as `dealer_wins`. [PP-I1]" in page
    assert "Read as `dealer_wins`, chosen by the approved controls:" in page
    assert "Logged $0.00, expected −$1.00: $1.00 too much." in page


def test_a_banks_result_is_told_hand_by_hand(told):
    # PP-23: seat 1's three queens take 3 x $25 (PP-7); A low fouls and is set again 5, A-3 (PP-27);
    # the house's K and K-7 against 5 and A-3: one each, nothing
    player = pyramid_seat("Qs Qd Qc", "Qc", (2500, 500, 500))
    banker = pyramid_seat("As 5d 3c", "As", (0, 500, 500))
    house = {**KINGS, "wager": 1000, "result": 0}
    page = told(round_of("pyramid-poker", [player, banker], house=house, banker=2, bank=10_000))
    assert "Seat 2 banks with $100.00" in page
    assert "Set again the House Way: 5 low and A-3 high. [PP-27]" in page
    assert "Won from the bank: seat 1 $75.00, the house $0.00. [PP-23]" in page
    assert "Logged $0.00, expected −$75.00: $75.00 too much." in page


def test_a_void_round_expects_nothing_and_needs_no_cards(told):
    seat = pyramid_seat("As 5d 3c", "As")
    bare = {key: seat[key] for key in ("wagers", "result")} | {"result": {**seat["result"]}}
    bare["result"]["main"] = 7500
    page = told(round_of("pyramid-poker", [bare], void="power failure"))
    assert "Void: power failure. Every result is 0." in page
    assert "Logged +$75.00, expected $0.00: $75.00 too much." in page
    assert "void.reason" in page
    assert "void.result" in page


def test_chinese_poker_tells_every_two_players_hand_by_hand(told):
    # CP-7's deal: P1 against P2: 8 high over 6 high, fours over deuces, full house under fours
    seats = [
        chinese_seat("8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh"),
        chinese_seat("6s 5h 4h / 2d 2h Kh Td 9d / 7s 7h 7c 7d 2c"),
    ]
    page = told(round_of("chinese-poker", seats, unit=100, scoring="unit"))
    assert "Front: high card, 8-6-2 against high card, 6-5-4, higher." in page
    assert "Middle: one pair, 4-4-Q-T-9 against one pair, 2-2-K-T-9, higher." in page
    assert "Back: full house, 3-3-3-J-J against four of a kind, 7-7-7-7-2, lower." in page
    assert "Seat 1 wins 1 unit, $1.00, from seat 2." in page
    assert "Logged $0.00, expected −$1.00: $1.00 too much." in page


def test_chinese_bonuses_are_told_in_units_and_a_foul_by_its_hands(told):
    # CP-10: four sevens in the back are worth 3 units; seat 2's middle is below its front (CP-5)
    controls = {"chinese": {"bonuses": {"four_of_a_kind": 3}, "surrender": 2}}
    seats = [
        chinese_seat("6s 5h 4h / 2d 2h Kh Td 9d / 7s 7h 7c 7d 2c"),
        chinese_seat("Ks Kd 6c / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh"),
    ]
    page = told(round_of("chinese-poker", seats, unit=100, scoring="2-4"), setup=controls)
    assert "Played for units of $1.00, scoring `2-4`. [CP-3, CP-8]" in page
    assert "The approved controls pay bonuses, in units: four of a kind 3. [CP-10]" in page
    assert "A surrender pays 2 units to each live player. [CP-12, CP-I16]" in page
    assert "A foul: the middle is lower than the front. [CP-5, CP-I1, CP-I2]" in page
    assert "A bonus for four of a kind in the back, +3 units." in page
    assert "Seat 1 wins 7 units, $7.00, from seat 2." in page  # 4 for all three hands, 3 bonus


def test_lines_and_maximums_of_the_controls_are_said_before_the_hands(told):
    tables = {"pyramid-poker": {"three_card": {"straight_flush": 50, "flush": 2}}}
    most = {"pyramid-poker": {"six_card": 4_000_000}}
    page = told(
        round_of("pyramid-poker", [pyramid_seat("9s 8s 7s", "8s")], house=KINGS),
        setup={"pay_tables": tables, "max_aggregate": most},
    )
    assert "The approved controls pay three card straight flush 50 to 1; the rules pay 30." in page
    assert "flush 2 to 1; the rules" not in page  # a line that says what the rules say
    assert "The maximum aggregate payout of six card in a deal is $40,000.00." in page
    assert "Straight flush. [PP-28, PP-I5] Pays 50 to 1 on $1.00." in page


@pytest.mark.parametrize(
    ("at", "shown"),
    [
        ("2026-11-17T20:15:03-08:00", "Ended 2026-11-17 20:15:03 UTC-08:00."),
        ("2026-11-18T04:15:03Z", "Ended 2026-11-18 04:15:03 UTC."),
    ],
)
def test_the_time_is_told_as_the_log_gives_it(told, at, shown):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS, at=at)
    assert shown in told(line)


def test_pick_2_tells_the_dealers_qualification_and_both_bonus_tables(told):
    # dealer K-Q-9-8-2 is below ace-king: the ante wins, play pushes (P2-I1). Three queens: the
    # five-card table pays 1, the three-card table 1 (P2-I3)
    seat = pick_2_seat("Qs Qd Qc 7h 2d", "five")
    page = told(round_of("pick-2-poker", [seat], house={"cards": "Kd Qh 9s 8s 2h"}))
    assert "high card, K-Q-9-8-2, which does not qualify against five-card players." in page
    assert "The dealer does not qualify. [P2-8, P2-I1, P2-I6] Pays 1 to 1 on $1.00." in page
    assert "Three of a kind in five cards." in page
    assert "Three of a kind in three cards." in page
    assert "Pays 2 to 1 on $1.00." in page


def test_casino_version_tells_the_points_of_the_first_worked_hand(told):
    # CV-11: A high, pair of 7s, Q flush against J high, Q high, full house of fours: +2 +1 -2
    dealer = ["Jd", "Qs 3d 2h", "4s 4d 4c 7d 7c"]
    seat = casino_seat(["As", "7s 7h 2d", "Qh Th 8h 6h 3h"])
    house = {"cards": dealt_from(dealer), "hands": dealer}
    page = told(round_of("casino-version", [seat], house=house))
    assert "Hand 1: high card, A against high card, J, won, +2." in page
    assert "Hand 2: one pair, 7-7-2 against high card, Q-3-2, won, +1." in page
    assert "Hand 3: flush, Q-T-8-6-3 against full house, 4-4-4-7-7, lost, -2." in page
    assert "Net +1 at $5.00 a point. [CV-7]" in page
    assert "Above zero the buy-in is won. [CV-8]" in page


def test_showdown_tells_points_by_place_and_why_a_set_fouls(told):
    # SD-17: five of a kind scores 6 in hand 6, a hand without a special name 1 (SD-14)
    kinds = ["3s", "5h 4d 2c", "Ks Kd 3c", "6h 6d 6c", "7h 7d 7c 2s 2d", "8h 8d 8c 8s 8h"]
    lower = ["3h", "5h 4d 2s", "Qs Qd 3c", "5s 5d 5c", "4h 4s 4c 2s 2h", "9h 9d 9c 9s 3h"]
    wrong = [*lower[:1], lower[2], lower[1], *lower[3:]]

    def seat(hands):
        used = dealt_from(hands).split()
        return {
            "cards": " ".join([*used, *["2c"] * (25 - len(used))]),
            "play": "showdown",
            "hands": hands,
            "result": {"showdown": 0, "surrender": 0, "pot": 0},
        }

    page = told(round_of("showdown", [seat(kinds), seat(lower), seat(wrong)], chip=100, dealer=1))
    assert "Hand 6: won with five of a kind, +6." in page
    assert "Hand 4: won with three of a kind, +3." in page
    assert "A foul: hand 3 is not stronger than hand 2. [SD-7, SD-I2, SD-I4, SD-I15]" in page
    assert "A fouled set loses all six hands." in page
    assert "Hand 4 of seat 1: three of a kind, +3. [SD-17, SD-I5]" in page
    assert "Hand 6 of seat 1: five of a kind, +6. [SD-17, SD-I5]" in page
    assert "Chips put in: seat 1 30, seat 2 30, seat 3 30; 90 in all." in page
    assert "The highest total takes the pot. [SD-16]" in page


def test_the_round_before_at_the_table_counts_as_in_the_filter(told):
    # PP-22: two player-banked rounds never follow each other
    def banked(id_, minute):
        seats = [pyramid_seat("Qs Kd 9c", "Qs"), pyramid_seat("As 5d 3c", "5d", (0, 100, 100))]
        return round_of(
            "pyramid-poker", seats, house={**KINGS, "wager": 0, "result": 0}, banker=2, bank=10_000
        ) | {"round": id_, "at": f"2019-05-04T20:{minute}:03-07:00"}

    assert "bank.turn" not in told(banked("R-1", 10), banked("R-2", 11), id_="R-1")
    page = told(banked("R-1", 10), banked("R-2", 11), id_="R-2")
    assert "In the round before at this table a player banked. [PP-22, PP-25, PP-I16]" in page
    assert "A player banked in two rounds that follow each other. [PP-22, PP-I16]" in page


def test_what_the_banker_wagered_the_round_before_is_told(told):
    # PP-25: p-1 wagered $5 on main in all, so the house's $6 is too much by the rules
    two_hands = [pyramid_seat("Qs Qd 9c", "9c", stakes, player="p-1") for stakes in STAKES]
    first = round_of("pyramid-poker", two_hands, house=KINGS)
    seats = [pyramid_seat("Qs Kd 9c", "Qs"), pyramid_seat("As 5d 3c", "5d", (0, 100, 100))]
    seats[1]["player"] = "p-1"
    house = {**KINGS, "wager": 600, "result": 0}
    banked = round_of("pyramid-poker", seats, house=house, banker=2, bank=10_000)
    page = told(first | {"round": "R-0"}, banked)
    assert "In the round before the house banked, and p-1 wagered $5.00 on main." in page
    assert "(logged $6.00, expected $5.00) [PP-25, PP-I12, PP-I16]" in page
    assert "No round before at this table is known." in told(banked)


def test_the_deck_of_the_round_before_is_told(told):
    seat = pick_2_seat("Qs Qd 7c 4h 2d", "five")
    house = {"cards": "Kd Qh 9s 8s 2h"}
    decks = ("red", "red", "blue")
    rounds = [
        round_of("pick-2-poker", [seat], house=house, shuffler=True, deck=deck)
        | {"round": f"R-{number}"}
        for number, deck in enumerate(decks)
    ]
    page = told(*rounds)
    assert "The deck of the round before at this table was `red`. [P2-1, P2-I8]" in page
    assert "The two decks did not alternate." in page


def test_after_a_rejected_line_bank_and_deck_are_said_not_to_be_judged(told):
    seats = [pyramid_seat("Qs Kd 9c", "Qs"), pyramid_seat("As 5d 3c", "5d", (0, 100, 100))]
    house = {**KINGS, "wager": 0, "result": 0}
    banked = round_of("pyramid-poker", seats, house=house, banker=2, bank=10_000)
    spoilt = as_line(banked | {"round": "R-0", "decks": "six"})
    earlier = banked | {"round": "R-00", "at": "2019-05-04T20:14:00-07:00"}
    said = "The line before at this table is rejected: the bank is not judged on it."
    assert said in told(earlier, spoilt, banked)


def test_a_round_out_of_order_is_told_with_the_time_of_the_one_before(told):
    later = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    earlier = later | {"round": "R-2", "at": "2019-05-04T20:15:02-07:00"}
    page = told(later, earlier, id_="R-2")
    assert "The round before at this table ended 2019-05-04 20:15:03 UTC-07:00." in page
    assert "run backwards in time" in page


def test_an_id_on_two_lines_is_told_twice_and_the_second_is_flagged(told):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    page = told(line, line)
    assert told.status == 0
    assert "The id stands on lines 1, 2 of" in page
    assert page.count("log.sequence (notice)") == 1


def test_an_id_that_the_log_has_not_is_refused_with_a_sentence(told):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    assert told(line, id_="r-1") == ""
    assert told.status == 2
    assert "no line has the round `r-1`" in told.complaint


def test_a_rejected_line_is_told_with_its_field_and_reason(told):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9z", "9c")], house=KINGS)
    page = told(line)
    assert told.status == 1
    assert "line 1, field `seats[0].cards`" in page
    assert "The line is rejected for its form" in page


def test_a_line_that_is_cut_off_is_shown_where_its_text_holds_the_id(told):
    line = as_line(round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS))
    page = told(line[:40] + b"\n")
    assert told.status == 1
    assert "line 1: this is not JSON" in page


def test_where_a_compressed_log_breaks_off_the_line_that_cannot_be_read_is_named(tmp_path, capsys):
    rounds = [
        round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
        | {"round": f"R-{number}"}
        for number in range(200)
    ]
    log = tmp_path / "log.jsonl.gz"
    log.write_bytes(gzip.compress(b"".join(map(as_line, rounds)))[:-200])
    assert explain.run([str(log), "R-199"]) == 2
    said = capsys.readouterr().err
    assert "no line has the round `R-199`. Line " in said
    assert "cannot be read: " in said


def test_a_line_too_long_does_not_hide_the_others(told):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    page = told(b'{"round":"R-1","x_":"' + b"R-1" * 500_000 + b'"}\n', line)
    assert told.status == 0
    assert "line 2" in page


@pytest.mark.parametrize("id_", ["", " ", "R-1\n", "\\u0052-1", "\udc80", "R-1" * 100, "null"])
def test_an_id_that_no_round_can_have_is_refused_in_a_sentence(told, id_):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    assert told(line, id_=id_) == ""
    assert told.status == 2


@pytest.mark.parametrize(("log", "why"), [("missing", "cannot be read"), (".", "is a folder")])
def test_a_log_that_cannot_be_read_is_refused(tmp_path, log, why, capsys):
    assert explain.run([str(tmp_path / log), "R-1"]) == 2
    assert why in capsys.readouterr().err


def test_a_setup_with_an_unknown_reading_is_refused_by_name(told):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    told(line, setup={"interpretations": {"PP-I1": "nobody_wins"}})
    assert told.status == 2
    assert "nobody_wins" in told.complaint


def test_as_data_amounts_are_cents(told):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    data = json.loads(told(line, options=["--json"]))
    (story,) = data["rounds"]
    accounts = story["sections"][1]["accounts"]
    assert [(one["key"], one["logged"], one["expected"]) for one in accounts] == [
        ("main", 0, 0),
        ("three_card", 0, 100),
        ("six_card", 0, 100),
    ]


def test_from_the_command_line_a_compressed_log_is_told_without_a_traceback(tmp_path):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    log = tmp_path / "log.jsonl.gz"
    log.write_bytes(gzip.compress(as_line(line)))
    call = [sys.executable, "-m", "games", "explain", str(log), "R-1"]
    done = subprocess.run(call, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Round R-1: Pyramid Poker, table T1" in done.stdout
