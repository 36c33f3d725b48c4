"""Lines of the pay tables of named games: added, removed, at odds such as 3 to 2, in every path."""

import io
import itertools
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from games.cards import ACE, SEVEN, rank, suit
from games.definition import read_definition
from games.explanation.rounds import explain_round
from games.families.filed import FiledGames, with_definition
from games.log.reader import ColumnReader
from games.odds.wagers import odds
from games.screens.run import ColumnRun
from games.setup import Setup, read_setup
from games.simulator.night import deal_night
from tests.games.dealing.plans import TABLES, log_of, plan_of
from tests.games.families.filed_games import TEXTS, line


def changed(slug, *changes, rounding):
    """Return a definition with other lines, and with its rounding."""
    text = TEXTS[slug]
    text = text[: text.index("[[example]]")]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    step, direction, clause = rounding
    table = f'[rounding]\nstep = {step}\ndirection = "{direction}"\nclause = "{clause}"\n'
    return read_definition(text + table)


PYRAMID = changed(
    "pyramid-poker",
    ("three_of_a_kind = 20, straight = 5, flush = 2, one_pair = 1 }",
     'suited_three_of_a_kind = 100, three_of_a_kind = 20, straight = 5, one_pair = "3/2" }'),
    ("two_pairs = 1 }", 'three_pairs = "7/2" }'),
    rounding=(100, "down", "PP-28"),
)  # fmt: skip
PICK_2 = changed(
    "pick-2-poker",
    ("three_of_a_kind = 1 }", 'three_of_a_kind = "3/2", two_pairs = "1/2" }'),
    ("straight_flush = 3, three_of_a_kind = 1 }", 'straight_flush = 3, one_pair = "1/2" }'),
    ("two_pairs = 3, ", ""),
    rounding=(25, "nearest", "P2-17"),
)  # fmt: skip


def verdict(definition, seat, house):
    games = FiledGames({definition.slug: definition})
    setup = games.in_setup(Setup())
    round_ = games.read_line(line(definition.slug, [seat], house=house, shuffler=False))
    run = games.run(setup)
    try:
        return round_, setup, run.verdict(round_)
    finally:
        run.close()


def pyramid(cards, wager, house):
    """Settle a hand set with its first card low, against a house so set."""
    wagers = dict.fromkeys(("main", "three_card", "six_card"), wager)
    seat = {"seat": 1, "cards": cards, "low": cards[:2], "wagers": wagers,
            "result": dict.fromkeys(wagers, 0)}  # fmt: skip
    return verdict(PYRAMID, seat, {"cards": house, "low": house[:2]})


@pytest.mark.parametrize(
    ("cards", "wager", "house", "three", "six"),
    [
        # a pair at 3 to 2: $7.50 is rounded down to $7; two pairs are no line anymore
        ("9c Ks Kd", 500, "9s Jc 4d", 700, -500),
        # whole odds are paid to the cent; a flush is no line anymore, five suited cards still are
        ("9s Ks Jd", 550, "Ts Jc 4d", -550, -550),
        ("9s Ks 3s", 550, "Ts 8s 4d", -550, 3300),
        # three of a suit and a rank, at 100 to 1; six cards have three of a kind, 2 to 1
        ("7s 7s 7s", 550, "Ts Jc 4d", 55_000, 1100),
        # three pairs at 7 to 2: $19.25 is rounded down to $19
        ("Tc Jd 4s", 550, "Ts Jc 4d", -550, 1900),
    ],
)
def test_pyramid_lines_pay_as_the_definition_says(cards, wager, house, three, six):
    _, _, found = pyramid(cards, wager, house)
    won = dict(found.seats[0][1])
    assert (won["three_card"], won["six_card"]) == (three, six)


@pytest.mark.parametrize(
    ("cards", "bonus_3_5", "bonus_5"),
    [
        # 3 to 2 and 1 to 2 (a pair of the best three) are 2 to 1 together: nothing to round
        ("8s 8d 8c 4h Qs", 660, 440),
        # 1 to 2 twice; on the 5-card bonus a pair of sixes or better pays 1 to 1
        ("8s 8d 4c 4h Qs", 330, 110),
        # 1 to 2 on $3.30 is $1.65, to the nearest 25 cents $1.75
        ("8s 8d 4c 3h Qs", 175, 110),
    ],
)
def test_pick_2_lines_of_two_tables_are_rounded_together(cards, bonus_3_5, bonus_5):
    wagers = {"ante": 330, "bonus_3_5": 330, "bonus_5": 110, "play": 330}
    seat = {"seat": 1, "cards": cards, "play": "five", "wagers": wagers,
            "result": dict.fromkeys(wagers, 0)}  # fmt: skip
    _, _, found = verdict(PICK_2, seat, {"cards": "Ad Kh 7c 5s 2d"})
    won = dict(found.seats[0][1])
    assert (won["bonus_3_5"], won["bonus_5"]) == (bonus_3_5, bonus_5)


def test_explanation_states_odds_and_rounding():
    round_, setup, found = pyramid("9c Ks Kd", 500, "9s Jc 4d")
    explained = explain_round(round_, setup, found)
    seat = next(each for each in explained.sections if each.seat == 1)
    (three,) = (each for each in seat.wagers if each.key == "three_card")
    last = three.steps[-1]
    assert last.says == "Pays 3 to 2 on $5.00, rounded down to a multiple of $1.00."
    assert last.cites == ("PP-28",)


@pytest.mark.parametrize("definition", [PYRAMID, PICK_2], ids=["pyramid", "pick_2"])
def test_simulator_screen_and_settlement_pay_alike(definition):
    limits = {table: {key: [125, 1000] for key in definition.wagers} for table in TABLES}
    setup = with_definition(read_setup(json.dumps({"limits": limits})), definition)
    plan = replace(plan_of(definition.slug, {}), setup=setup)
    rounds = list(itertools.islice(deal_night(plan), 500))
    run = ColumnRun(setup)
    certain = 0
    for block in ColumnReader(io.BytesIO(log_of(rounds))).blocks():
        certain += sum(int(rows.sum()) for rows in run.settle(block).certain)
    run.close()
    assert certain > 450, "the compiled screen settles nearly all"
    games = FiledGames({definition.slug: definition})
    alone = games.run(setup)
    codes = Counter(
        found.code
        for one in rounds
        for found in alone.verdict(games.read_line(one.line)).findings
        if found.code.startswith("settlement.")
    )
    alone.close()
    assert not codes


def test_odds_count_lines_as_the_definition_says():
    def pays(hand):
        ranks = sorted(map(rank, hand))
        straight = ranks[2] - ranks[1] == ranks[1] - ranks[0] == 1 or ranks == [0, 1, ACE]
        suited = len(set(map(suit, hand))) == 1
        if straight and suited:
            return 50 if ranks == [ACE - 2, ACE - 1, ACE] else 30
        if len(set(ranks)) == 1:
            return 20
        if straight:
            return 5
        if len(set(ranks)) == 2:
            return Fraction(3, 2)
        return 0 if ranks[2] <= SEVEN else -1

    hands = list(itertools.combinations(range(52), 3))
    edge = -sum(map(pays, hands)) / len(hands)
    setup = with_definition(Setup(), PYRAMID)
    (three,) = (each for each in odds(PYRAMID.slug, setup, 1) if each.wager == "three_card"
                and "layout" not in each.terms[0])  # fmt: skip
    assert three.house_edge == edge


def test_points_of_a_hand_may_be_added_or_removed():
    text = TEXTS["casino-version"]
    text = text[: text.index("[[example]]")]
    text = text.replace("trips_in_hand_2 = 3, ", "flush_in_hand_2 = 2, straight_in_hand_3 = 3, ")
    definition = read_definition(text)
    dealer = {"cards": "Jc Qd 9h 7s 4c 4d 4h 2s 2d",
              "hands": ["Jc", "Qd 9h 7s", "4c 4d 4h 2s 2d"]}  # fmt: skip
    wagers = {"ante": 500, "buy_in": 500}
    zero = dict.fromkeys(("points", "ante", "buy_in"), 0)
    points = []
    for hands in (["Qh", "3c 3d 3h", "5c 6d 7h 8s 9c"], ["Qh", "9d 5d 3d", "Ks Js 9s 6s 2s"]):
        seat = {"seat": 1, "cards": " ".join(hands), "play": "play", "hands": hands,
                "wagers": wagers, "result": zero}  # fmt: skip
        _, _, found = verdict(definition, seat, dealer)
        points.append(found.seats[0][1]["points"] // 500)
    # hand 1 wins 1, hand 3 loses 2; three of a kind wins 1 now, not 3, and a flush 2, not 1
    assert points == [0, 1]


def test_documented_scoring_is_logged_and_settled_cp_14():
    text = TEXTS["chinese-poker"]
    head, tail = text[: text.index("[[example]]")].split("[scoring.2-4]")
    _, rest = tail.split("[scoring.1-6]")
    own = '[scoring.3-5]\nsays = "3 for two, 5 for all."\neach_hand = 0\ntwo_hands = 3\n'
    own += 'all_three = 5\nclause = "CP-14"\n[scoring.1-6]'
    definition = read_definition(head + own + rest)
    games = FiledGames({definition.slug: definition})
    setup = games.in_setup(Setup())
    # the round of CP-7: player 1 wins two hands from 2, loses two to 3, and wins all from 4
    hands = ("8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh",
             "6s 5h 4h / 2d 2h Kh Td 9d / 7s 7h 7c 7d 2c",
             "Ts 9h 6d / 8h 5c 5s Ad Jc / Kc Ks Qs Qh 8s",
             "5d 4c 3s / Js Th 9s 8c 6h / Ah As Ac Kd Qd")  # fmt: skip
    seats = [
        {"seat": seat, **dict(zip(("front", "middle", "back"), cards.split(" / "), strict=True)),
         "result": {"total": 100 * units}}
        for seat, cards, units in zip((1, 2, 3, 4), hands, (5, -1, 9, -13), strict=True)
    ]  # fmt: skip
    lines = [line(definition.slug, seats, round=f"r-{name}", unit=100, scoring=name, shuffler=False)
             for name in ("3-5", "2-4")]  # fmt: skip
    run = games.run(setup)
    own, removed = (run.verdict(games.read_line(each)) for each in lines)
    run.close()
    assert not own.findings
    assert [each.code for each in removed.findings] == ["approval.controls", "irregular"]
    version_1 = lines[0].replace(b'"v": 2', b'"v": 1').replace(b'"v":2', b'"v":1')
    assert games.read_line(version_1).field == "scoring"
    explained = explain_round(games.read_line(lines[1]), setup, removed)
    assert "none that the rules have" in explained.sections[0].steps[0].says
    columns = ColumnRun(setup)
    (block,) = ColumnReader(io.BytesIO(b"\n".join(lines) + b"\n")).blocks()
    result = columns.settle(block)
    assert not any(rows.any() for rows in result.certain), "an own scoring has no column"
    columns.close()
