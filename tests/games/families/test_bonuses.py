"""Envy bonuses, jackpots and maximums of the family `stud`, worked by hand.

A mini royal wins the whole meter, another straight flush a tenth of it. Each pays every other
player with a gold wager of $1: $100 and $50. The ante pays 40 to 1, and ante and gold win at most
$5,000 together.
"""

from pathlib import Path

import jsonschema
import pytest

from games.definition import DefinitionError, read_definition
from games.families.filed import FiledGames, schema_of
from games.log.form import Rejection
from games.setup import read_setup
from games.strict_json import read_json
from tests.games.families.filed_games import line

TEXT = (Path(__file__).parent / "gold_rush.toml").read_text("utf-8")
ROYAL, STRAIGHT_FLUSH, NOTHING = "As Ks Qs", "4h 5h 6h", "2c 9d Jh"


def seat(number, cards, on_ante, on_gold, **result):
    won = {"ante": 0, "gold": 0, "envy": 0, "jackpot": 0, **result}
    wagers = {"ante": on_ante, "gold": on_gold}
    return {"seat": number, "cards": cards, "wagers": wagers, "result": won}


def read(*seats, **fields):
    games = FiledGames({"gold-rush": read_definition(TEXT)})
    return games.read_line(line("gold-rush", list(seats), **fields))


def audit(*seats, meter=1_000_005, setup="{}"):
    definitions = {"gold-rush": read_definition(TEXT)}
    run = FiledGames(definitions).run(read_setup(setup, definitions))
    try:
        verdict = run.verdict(read(*seats, meters={"gold": meter}))
    finally:
        run.close()
    return [(each.code, each.seat, each.wager, each.delta, each.cites) for each in verdict.findings]


def test_jackpot_is_part_of_the_meter_and_pays_envy():
    # a tenth of $10,000.05 is $1,000.00; the straight flush pays the ante 40 to 1
    first = seat(1, STRAIGHT_FLUSH, 500, 100, ante=20_000, gold=7_000, jackpot=100_000)
    second = seat(2, NOTHING, 500, 100, ante=-500, gold=-100, envy=5_000)
    third = seat(3, "3c 9s Jd", 500, 0, ante=-500)
    assert audit(first, second, third) == []


def test_wrong_jackpot_and_envy_cite_their_clauses():
    first = seat(1, STRAIGHT_FLUSH, 500, 100, ante=20_000, gold=7_000, jackpot=1_000_005)
    second = seat(2, NOTHING, 500, 100, ante=-500, gold=-100)
    assert audit(first, second) == [
        ("settlement.jackpot", 1, "jackpot", 900_005, ("G-4",)),
        ("settlement.envy", 2, "envy", -5_000, ("G-3",)),
    ]


def test_hand_without_the_wager_wins_no_jackpot():
    assert audit(seat(1, ROYAL, 500, 0, ante=20_000, jackpot=1)) == [
        ("settlement.jackpot", 1, "jackpot", 1, ("G-4",))
    ]


def test_jackpot_of_two_hands_is_open():
    first = seat(1, STRAIGHT_FLUSH, 500, 100, ante=20_000, gold=7_000, envy=10_000, jackpot=1)
    second = seat(2, ROYAL, 500, 100, ante=20_000, gold=0, envy=5_000, jackpot=2)
    assert audit(first, second) == []


@pytest.mark.parametrize(("paid", "delta"), [(500_000, 0), (600_000, 100_000), (0, -500_000)])
def test_maximum_is_audited_by_the_sum_of_a_hand(paid, delta):
    # $150 at 40 to 1 is $6,000, cut to $5,000
    found = audit(seat(1, ROYAL, 15_000, 0, ante=paid))
    wanted = [("settlement.aggregate", 1, None, delta, ("G-5",))] if delta else []
    assert found == wanted


def test_maximum_of_the_controls_applies_to_filed_games():
    setup = '{"max_aggregate": {"gold-rush": {"ante": 30000}}}'
    first = seat(1, STRAIGHT_FLUSH, 500, 0, ante=20_000)
    second = seat(2, ROYAL, 500, 0, ante=20_000)
    assert audit(first, second, setup=setup) == [
        ("settlement.aggregate", None, "ante", 10_000, ("WAC 230-15-490(2)",))
    ]


def test_line_without_its_meter_is_rejected():
    rejected = read(seat(1, NOTHING, 500, 0))
    assert isinstance(rejected, Rejection)
    assert rejected.field == "meters.gold"
    schema = jsonschema.Draft202012Validator(schema_of(read_definition(TEXT)))
    for meters, is_valid in (({}, False), ({"gold": 5}, True)):
        text = line("gold-rush", [seat(1, NOTHING, 500, 0)], meters=meters)
        assert schema.is_valid(read_json(text.decode())) is is_valid


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (("{ mini_royal = 1,", "{ mini_royal = 2,"), "jackpot.jackpot.pays.mini_royal"),
        (('"1/10" }', '"1/10", pair = 1 }'), "jackpot.jackpot.pays"),
        (("[envy.envy]", "[envy.gold]"), "envy.gold"),
        (("[envy.envy]", "[envy.jackpot]"), "jackpot.jackpot"),
        (('of = ["ante", "gold"]', 'of = ["bonus"]'), "maximum[0].of"),
        (("most = 500000", "most = 0"), "maximum[0].most"),
    ],
)  # fmt: skip
def test_bonus_that_leads_nowhere_is_a_problem(change, where):
    with pytest.raises(DefinitionError) as raised:
        read_definition(TEXT.replace(*change))
    assert [each.where for each in raised.value.problems] == [where]
