"""`explain`: compared with the rule document line by line; the expectations are by hand."""

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
def explained(tmp_path, capsys):
    def explain_rounds(*rounds, id_="R-1", setup=None, options=()):
        log = tmp_path / "log.jsonl"
        log.write_bytes(b"".join(one if isinstance(one, bytes) else as_line(one) for one in rounds))
        call = [str(log), id_, *options]
        if setup is not None:
            (tmp_path / "setup.json").write_text(json.dumps(setup))
            call += ["--setup", str(tmp_path / "setup.json")]
        explain_rounds.status = explain.run(call)
        output = capsys.readouterr()
        explain_rounds.complaint = output.err
        return " ".join(output.out.split())

    return explain_rounds


def test_pyramid_hands_are_compared_low_and_high(explained):
    # PP-15: kings beside a 7 are split, K low and K-7 high. Q-Q-9: 9 below K, Q-Q above K-7:
    # one better, one worse, a push (PP-11)
    seat = pyramid_seat("Qs Qd 9c", "9c", (2500, 500, 500))
    seat["result"] = {"main": 0, "three_card": 500, "six_card": 500}
    page = explained(round_of("pyramid-poker", [seat], house=KINGS))
    assert "The House Way sets K low and K-7 high: a pair of kings with a 7 is split." in page
    assert "Low: 9 against K, lower. [PP-9, PP-13] High: Q-Q against K-7, higher." in page
    assert "One hand each. [PP-11, PP-12, PP-13, PP-I3] Logged $0.00, expected $0.00." in page
    assert "One pair. [PP-28, PP-I5] Pays 1 to 1 on $5.00. Logged +$5.00, expected +$5.00." in page
    assert "With the dealer's Kd Ks 7c. [PP-21] Two pairs." in page
    assert "No apparent violations." in page
    assert (
        "PP-11 If the player is higher on one and lower on the other, the main wager is returned."
        in page
    )


def test_straight_flush_paid_by_layout_is_overpaid(explained):
    # PP-28 pays 30 to 1, the layout prints 50 (PP-30): 50 x $1 logged, $30 right, $20 overpaid
    seat = pyramid_seat("9s 8s 7s", "8s", (100, 100, 100))
    seat["result"] = {"main": -100, "three_card": 5000, "six_card": 100}
    page = explained(round_of("pyramid-poker", [seat], house=KINGS))
    assert "Straight flush. [PP-28, PP-I5] Pays 30 to 1 on $1.00." in page
    assert "Logged +$50.00, expected +$30.00: $20.00 overpaid." in page
    assert "Payout error. Seat 1, three card (settlement.three_card, money)" in page
    assert "Logged $50.00, expected $30.00: $20.00 overpaid. [PP-28, PP-I5]" in page


def test_wrong_dealer_setting_cites_house_way_clause(explained):
    page = explained(
        round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house={**KINGS, "low": "7c"})
    )
    assert "Dealer's hand not set as the rules require. Table (setting.dealer, procedure)" in page
    assert "PP-15" in page


def test_fouled_hand_loses_main_and_keeps_other_wagers(explained):
    # PP-6: an ace low above K-Q; three_card and six_card go on
    seat = pyramid_seat("As Kd Qc", "As")
    seat["result"] = {"main": -100, "three_card": 500, "six_card": -100}
    page = explained(round_of("pyramid-poker", [seat], house={"cards": "2d 2s 7c", "low": "7c"}))
    assert "Foul: the low card outranks the high hand. [PP-6, PP-I4]" in page
    assert "Straight. [PP-28, PP-I5] Pays 5 to 1 on $1.00." in page


def test_maximum_aggregate_audits_only_the_sum(explained):
    # PP-I8 odds_only: three aces win 20 + 10 to 1 on $100 each, cut to $2,500 in all
    seat = pyramid_seat("As Ad Ac", "As", (10_000, 10_000, 10_000))
    seat["result"] = {"main": 30_000, "three_card": 200_000, "six_card": 50_000}
    page = explained(
        round_of("pyramid-poker", [seat], house={"cards": "Ah 5s 7c", "low": "7c"}),
        setup={"max_aggregate": 250_000},
    )
    assert "Four of a kind." in page
    # PP-I9: six_card is cut first, to 2,500 less 2,000; the log has 500, and any split will do
    applies = "The maximum aggregate payout applies; this wager may be"
    assert f"Pays 10 to 1 on $100.00. {applies} cut to +$500.00." in page
    assert f"Pays 20 to 1 on $100.00. {applies} left uncut." in page
    assert "Logged +$500.00, expected +$500.00. Only the sum of these wagers is audited." in page
    assert "No apparent violations." in page


def test_chosen_interpretation_is_named(explained):
    # PP-I1: K low and Q-J high on both sides; by Pai Gow's copy rule the hand loses
    seat = pyramid_seat("Qs Kd 9c", "Qs")
    page = explained(
        round_of("pyramid-poker", [seat], house={"cards": "Qd Kc 9h", "low": "Qd"}),
        setup={"interpretations": {"PP-I1": "dealer_wins"}},
    )
    assert (
        "The approved interpretation of PP-I1: The dealer wins, or the bank if a player banks"
        in page
    )
    assert "Logged $0.00, expected −$1.00: $1.00 overpaid." in page


def test_bank_result_is_explained_hand_by_hand(explained):
    # PP-23: seat 1's three queens win 3 x $25 (PP-7); A low fouls and is reset to 5, A-3 (PP-27);
    # the house's K and K-7 against 5 and A-3: one each, nothing
    player = pyramid_seat("Qs Qd Qc", "Qc", (2500, 500, 500))
    banker = pyramid_seat("As 5d 3c", "As", (0, 500, 500))
    house = {**KINGS, "wager": 1000, "result": 0}
    played = round_of("pyramid-poker", [player, banker], house=house, banker=2, bank=10_000)
    page = explained(played)
    assert "Seat 2 banks with $100.00" in page
    assert "Reset by the House Way: 5 low and A-3 high. [PP-27]" in page
    assert "Won from the bank: seat 1 $75.00, the house $0.00. [PP-23]" in page
    assert "Logged $0.00, expected −$75.00: $75.00 overpaid." in page


def test_void_round_expects_zero_and_needs_no_cards(explained):
    seat = pyramid_seat("As 5d 3c", "As")
    bare = {key: seat[key] for key in ("wagers", "result")} | {"result": {**seat["result"]}}
    bare["result"]["main"] = 7500
    page = explained(round_of("pyramid-poker", [bare], void="power failure"))
    assert "Void: power failure. Every result must be $0.00." in page
    assert "Logged +$75.00, expected $0.00: $75.00 overpaid." in page
    assert "void.reason" in page
    assert "void.result" in page


def test_chinese_poker_compares_players_hand_by_hand(explained):
    # CP-7's deal: P1 against P2: 8 high over 6 high, fours over deuces, full house under fours
    seats = [
        chinese_seat("8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh"),
        chinese_seat("6s 5h 4h / 2d 2h Kh Td 9d / 7s 7h 7c 7d 2c"),
    ]
    page = explained(round_of("chinese-poker", seats, unit=100, scoring="unit"))
    assert "Front: high card, 8-6-2 against high card, 6-5-4, higher." in page
    assert "Middle: one pair, 4-4-Q-T-9 against one pair, 2-2-K-T-9, higher." in page
    assert "Back: full house, 3-3-3-J-J against four of a kind, 7-7-7-7-2, lower." in page
    assert "Seat 1 wins 1 unit, $1.00, from seat 2." in page
    assert "Logged $0.00, expected −$1.00: $1.00 overpaid." in page


def test_chinese_bonuses_read_in_units_and_fouls_by_hand(explained):
    # CP-10: four sevens in the back are worth 3 units; seat 2's middle is below its front (CP-5)
    controls = {"chinese": {"bonuses": {"four_of_a_kind": 3}, "surrender": 2}}
    seats = [
        chinese_seat("6s 5h 4h / 2d 2h Kh Td 9d / 7s 7h 7c 7d 2c"),
        chinese_seat("Ks Kd 6c / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh"),
    ]
    page = explained(round_of("chinese-poker", seats, unit=100, scoring="2-4"), setup=controls)
    scoring = "2 units for two of the three hands, 4 for all three."
    assert f"A unit is $1.00. Scoring: {scoring} [CP-3, CP-8]" in page
    assert "The approved controls pay bonuses, in units: four of a kind 3. [CP-10]" in page
    assert "A surrender pays 2 units to each live player. [CP-12, CP-I16]" in page
    assert "Foul: the middle is lower than the front. [CP-5, CP-I1, CP-I2]" in page
    assert "A bonus for four of a kind in the back, +3 units." in page
    assert "Seat 1 wins 7 units, $7.00, from seat 2." in page  # 4 for all three hands, 3 bonus


def test_pay_lines_and_maximums_of_controls_are_named(explained):
    tables = {"pyramid-poker": {"three_card": {"straight_flush": 50, "flush": 2}}}
    most = {"pyramid-poker": {"six_card": 4_000_000}}
    page = explained(
        round_of("pyramid-poker", [pyramid_seat("9s 8s 7s", "8s")], house=KINGS),
        setup={"pay_tables": tables, "max_aggregate": most},
    )
    assert "controls pay three card, straight flush, 50 to 1; the rules pay 30 to 1." in page
    assert "flush, 2 to 1; the rules" not in page  # the line is the same as in the rules
    assert "The maximum aggregate payout of six card in a deal is $40,000.00." in page
    assert "Straight flush. [PP-28, PP-I5] Pays 50 to 1 on $1.00." in page


@pytest.mark.parametrize(
    ("at", "shown"),
    [
        ("2026-11-17T20:15:03-08:00", "Ended: November 17, 2026, 8:15:03 p.m. UTC-08:00."),
        ("2026-11-18T04:15:03Z", "Ended: November 18, 2026, 4:15:03 a.m. UTC."),
    ],
)
def test_time_is_in_the_zone_of_the_log(explained, at, shown):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS, at=at)
    assert shown in explained(line)


def test_pick_2_explains_qualification_and_bonus_tables(explained):
    # dealer K-Q-9-8-2 is below ace-king: the ante wins, play pushes (P2-I1). Three queens: the
    # five-card table pays 1, the three-card table 1 (P2-I3)
    seat = pick_2_seat("Qs Qd Qc 7h 2d", "five")
    page = explained(round_of("pick-2-poker", [seat], house={"cards": "Kd Qh 9s 8s 2h"}))
    assert "high card, K-Q-9-8-2, which does not qualify against five-card players." in page
    assert "The dealer does not qualify. [P2-8, P2-I1, P2-I6] Pays 1 to 1 on $1.00." in page
    assert "Three of a kind in five cards." in page
    assert "Three of a kind in three cards." in page
    assert "Pays 2 to 1 on $1.00." in page


def test_casino_version_scores_the_first_worked_hand(explained):
    # CV-11: A high, pair of 7s, Q flush against J high, Q high, full house of fours: +2 +1 -2
    dealer = ["Jd", "Qs 3d 2h", "4s 4d 4c 7d 7c"]
    seat = casino_seat(["As", "7s 7h 2d", "Qh Th 8h 6h 3h"])
    house = {"cards": dealt_from(dealer), "hands": dealer}
    page = explained(round_of("casino-version", [seat], house=house))
    assert "Hand 1: high card, A against high card, J, won, +2." in page
    assert "Hand 2: one pair, 7-7-2 against high card, Q-3-2, won, +1." in page
    assert "Hand 3: flush, Q-T-8-6-3 against full house, 4-4-4-7-7, lost, -2." in page
    assert "Net points: +1 at $5.00 a point. [CV-7]" in page
    assert "Above zero the buy-in is won. [CV-8]" in page


def test_showdown_scores_by_place_and_explains_a_foul(explained):
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

    seats = [seat(kinds), seat(lower), seat(wrong)]
    page = explained(round_of("showdown", seats, chip=100, dealer=1))
    assert "Hand 6: won with five of a kind, +6." in page
    assert "Hand 4: won with three of a kind, +3." in page
    assert "Foul: hand 3 is not stronger than hand 2. [SD-7, SD-I2, SD-I4, SD-I15]" in page
    assert "A fouled set loses all six hands." in page
    assert "Hand 4 of seat 1: three of a kind, +3. [SD-17, SD-I5]" in page
    assert "Hand 6 of seat 1: five of a kind, +6. [SD-17, SD-I5]" in page
    assert "Chips put into the pot: seat 1 30, seat 2 30, seat 3 30; 90 in total." in page
    assert "The highest total takes the pot. [SD-16]" in page


def test_previous_round_counts_as_in_the_filter(explained):
    # PP-22: two player-banked rounds never follow each other
    def banked(id_, minute):
        seats = [pyramid_seat("Qs Kd 9c", "Qs"), pyramid_seat("As 5d 3c", "5d", (0, 100, 100))]
        return round_of(
            "pyramid-poker", seats, house={**KINGS, "wager": 0, "result": 0}, banker=2, bank=10_000
        ) | {"round": id_, "at": f"2019-05-04T20:{minute}:03-07:00"}

    assert "bank.turn" not in explained(banked("R-1", 10), banked("R-2", 11), id_="R-1")
    page = explained(banked("R-1", 10), banked("R-2", 11), id_="R-2")
    assert "A player banked in the previous round at this table. [PP-22, PP-25, PP-I16]" in page
    assert "A player banked two rounds in a row. Table (bank.turn, money) [PP-22, PP-I16]" in page


def test_banker_wager_in_previous_round_is_named(explained):
    # PP-25: p-1 wagered $5 on main in total, so the house's $6 is overpaid by the rules
    two_hands = [pyramid_seat("Qs Qd 9c", "9c", stakes, player="p-1") for stakes in STAKES]
    first = round_of("pyramid-poker", two_hands, house=KINGS)
    seats = [pyramid_seat("Qs Kd 9c", "Qs"), pyramid_seat("As 5d 3c", "5d", (0, 100, 100))]
    seats[1]["player"] = "p-1"
    house = {**KINGS, "wager": 600, "result": 0}
    banked = round_of("pyramid-poker", seats, house=house, banker=2, bank=10_000)
    page = explained(first | {"round": "R-0"}, banked)
    assert "The house banked in the previous round, and p-1 wagered $5.00 on main." in page
    assert "Logged $6.00, expected $5.00. [PP-25, PP-I12, PP-I16]" in page
    assert "No previous round at this table is known." in explained(banked)


def test_deck_of_previous_round_is_named(explained):
    seat = pick_2_seat("Qs Qd 7c 4h 2d", "five")
    house = {"cards": "Kd Qh 9s 8s 2h"}
    decks = ("red", "red", "blue")
    rounds = [
        round_of("pick-2-poker", [seat], house=house, shuffler=True, deck=deck)
        | {"round": f"R-{number}"}
        for number, deck in enumerate(decks)
    ]
    page = explained(*rounds)
    assert "The deck of the previous round at this table was “red”. [P2-1, P2-I8]" in page
    assert "The two decks did not alternate." in page


def test_bank_is_not_audited_after_a_rejected_line(explained):
    seats = [pyramid_seat("Qs Kd 9c", "Qs"), pyramid_seat("As 5d 3c", "5d", (0, 100, 100))]
    house = {**KINGS, "wager": 0, "result": 0}
    banked = round_of("pyramid-poker", seats, house=house, banker=2, bank=10_000)
    spoiled = as_line(banked | {"round": "R-0", "decks": "six"})
    earlier = banked | {"round": "R-00", "at": "2019-05-04T20:14:00-07:00"}
    printed = "The previous line at this table was rejected, so the bank is not audited on it."
    assert printed in explained(earlier, spoiled, banked)


def test_round_out_of_order_names_the_previous_time(explained):
    later = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    earlier = later | {"round": "R-2", "at": "2019-05-04T20:15:02-07:00"}
    page = explained(later, earlier, id_="R-2")
    assert "The previous round at this table ended May 4, 2019, 8:15:03 p.m. UTC-07:00." in page
    assert "Rounds out of order" in page


def test_repeated_id_is_explained_twice_and_flagged(explained):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    page = explained(line, line)
    assert explained.status == 0
    assert "has this ID on lines 1, 2." in page
    assert page.count("(log.sequence, notice)") == 1


def test_unknown_id_is_refused_with_a_sentence(explained):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    assert explained(line, id_="r-1") == ""
    assert explained.status == 2
    assert "no line has round `r-1`" in explained.complaint


def test_rejected_line_names_its_field_and_reason(explained):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9z", "9c")], house=KINGS)
    page = explained(line)
    assert explained.status == 1
    assert "line 1, field `seats[0].cards`" in page
    assert "The line was rejected for its format" in page


def test_cut_off_line_with_the_id_is_shown(explained):
    line = as_line(round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS))
    page = explained(line[:40] + b"\n")
    assert explained.status == 1
    assert "line 1: this is not JSON" in page


def test_truncated_compressed_log_names_unreadable_line(tmp_path, capsys):
    rounds = [
        round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
        | {"round": f"R-{number}"}
        for number in range(200)
    ]
    log = tmp_path / "log.jsonl.gz"
    log.write_bytes(gzip.compress(b"".join(map(as_line, rounds)))[:-200])
    assert explain.run([str(log), "R-199"]) == 2
    printed = capsys.readouterr().err
    assert "no line has round `R-199`. Line " in printed
    assert "cannot be read: " in printed


def test_overlong_line_does_not_hide_the_others(explained):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    page = explained(b'{"round":"R-1","x_":"' + b"R-1" * 500_000 + b'"}\n', line)
    assert explained.status == 0
    assert "line 2" in page


@pytest.mark.parametrize("id_", ["", " ", "R-1\n", "\\u0052-1", "\udc80", "R-1" * 100, "null"])
def test_impossible_id_is_refused_with_a_sentence(explained, id_):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    assert explained(line, id_=id_) == ""
    assert explained.status == 2


@pytest.mark.parametrize(("log", "why"), [("missing", "cannot be read"), (".", "is a folder")])
def test_unreadable_log_is_refused(tmp_path, log, why, capsys):
    assert explain.run([str(tmp_path / log), "R-1"]) == 2
    assert why in capsys.readouterr().err


def test_unknown_interpretation_in_setup_is_refused(explained):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    explained(line, setup={"interpretations": {"PP-I1": "nobody_wins"}})
    assert explained.status == 2
    assert "nobody_wins" in explained.complaint


def test_amounts_as_data_are_cents(explained):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    data = json.loads(explained(line, options=["--json"]))
    (explanation,) = data["rounds"]
    wagers = explanation["sections"][1]["wagers"]
    assert [(one["key"], one["logged"], one["expected"]) for one in wagers] == [
        ("main", 0, 0),
        ("three_card", 0, 100),
        ("six_card", 0, 100),
    ]


def test_compressed_log_is_explained_from_command_line(tmp_path):
    line = round_of("pyramid-poker", [pyramid_seat("Qs Qd 9c", "9c")], house=KINGS)
    log = tmp_path / "log.jsonl.gz"
    log.write_bytes(gzip.compress(as_line(line)))
    call = [sys.executable, "-m", "games", "explain", str(log), "R-1"]
    done = subprocess.run(call, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Round R-1: Pyramid Poker, table T1" in done.stdout
