"""Pai Gow Poker: the definition's settlement against a second reading, and its findings by hand."""

import json
import random
from datetime import UTC, datetime
from fractions import Fraction
from itertools import islice

import pytest

from games.definition import DefinitionError, read_definition
from games.families.filed import FiledGames, with_definition
from games.log.form import LineObject, Rejection, read_filed, read_line
from games.setup import read_setup
from games.simulator.night import deal_night
from games.simulator.plan import FaultPlan, Plan
from games.terms import NOTHING as BEFORE
from tests.games.families import pai_gow_reading as second
from tests.games.families.filed_games import TEXTS, audit, definition_of, line

SLUG = "pai-gow-poker"
DEALER = {"cards": "Ah Kd 9s 7c 5d 4h 2c", "parts": ["Kd 9s", "Ah 7c 5d 4h 2c"]}
MAINS = (500, 1015, 2535)
NOTHING = {"main": 0, "fortune": 0, "envy": 0}


def rich_deck(chance):
    """Return cards to deal from: jokers, few ranks and long suits come up often."""
    ranks = chance.sample(second.RANKS, 13 if chance.random() < 0.3 else 7)
    suits = "cdhs" if chance.random() < 0.6 else chance.choice(("hs", "shhh", "cdds"))
    cards = [card for card in second.DECK if card[0] in ranks and card[1] in suits]
    others = [card for card in second.DECK if card not in cards]
    chance.shuffle(cards)
    chance.shuffle(others)
    head = [*cards, *others][:28]
    head[chance.randrange(28)] = "Jo"
    chance.shuffle(head)
    return head


def set_of(chance, cards):
    """Return parts as a player sets them: the house way, any other set in order, or any at all."""
    ways = [second.house(cards), *second.sets(cards)]
    if chance.random() < 0.15:
        mixed = chance.sample(cards, 7)
        return mixed[:2], mixed[2:]
    return ways[0] if chance.random() < 0.6 else chance.choice(ways)


def made_round(chance):
    """Return a round in the log's form as the second reading settles it, and whether no fee is."""
    deck = rich_deck(chance)
    hands = [deck[place : place + 7] for place in range(0, 28, 7)]
    seats = [
        (cards, set_of(chance, cards), chance.choice(MAINS), chance.choice((0, 400, 500)))
        for cards in hands[1:]
    ]  # fmt: skip
    no_commission = chance.random() < 0.3
    banker = chance.randrange(3) if chance.random() < 0.4 else None
    own = 1500
    if banker is not None:
        seats[banker] = (*seats[banker][:2], 0, seats[banker][3])
    results, houses = second.settle(hands[0], seats, banker, own, no_commission)
    house = {"cards": " ".join(hands[0]), "parts": list(map(" ".join, second.house(hands[0])))}
    more = {}
    if banker is not None:
        house |= {"wager": own, "result": houses}
        more = {"banker": banker + 1, "bank": 100_000}
    logged = [
        {"seat": place + 1, "cards": " ".join(cards), "parts": list(map(" ".join, parts)),
         "wagers": {"main": wager, "fortune": side}, "result": result}
        for place, ((cards, parts, wager, side), result)
        in enumerate(zip(seats, results, strict=True))
    ]  # fmt: skip
    return line(SLUG, logged, house=house, **more), no_commission


def differences(seed, rounds):
    chance = random.Random(seed)
    filed = {SLUG: definition_of(SLUG)}
    games = FiledGames(filed)
    runs = [
        games.run(read_setup(json.dumps({"interpretations": {"PG-I2": reading}}), filed))
        for reading in ("commission", "no_commission")
    ]
    found = []
    for number in range(rounds):
        text, no_commission = made_round(chance)
        text = text.replace(b'"r-1"', f'"r-{number}"'.encode())
        text = text.replace(b'"T1"', f'"T{number}"'.encode())
        read = games.read_line(text)
        assert not isinstance(read, Rejection), (read, text)
        verdict = runs[no_commission].verdict(read)
        found += [(each, text) for each in verdict.findings if each.code != "setting.banker"]
    for run in runs:
        run.close()
    return found


def test_second_reading_settles_rich_rounds_alike():
    assert differences(seed=20_251_120, rounds=120) == []


@pytest.mark.deep
def test_second_reading_settles_many_rich_rounds_alike():
    assert differences(seed=7, rounds=20_000) == []


def seat(number, cards, parts, main=1000, fortune=0, **result):
    wagers = {"main": main, "fortune": fortune}
    return {"seat": number, "cards": cards, "parts": parts, "wagers": wagers,
            "result": {**NOTHING, **result}}  # fmt: skip


WINNER = ("Js Jd As Qh 8c 6d 3s", ["As Qh", "Js Jd 8c 6d 3s"])
LOSER = ("Ts Td Kc 8h 7s 6c 3d", ["8h 7s", "Ts Td Kc 6c 3d"])


def findings(seats, house=DEALER, setup="{}", **more):
    verdict = audit(line(SLUG, seats, house=house, **more), SLUG, setup=setup)
    found = verdict.findings
    return {(of.code, of.seat, of.wager): (of.logged, of.expected) for of in found}, verdict


def test_win_without_commission_is_two_findings():
    found, _ = findings([seat(1, *WINNER)])
    assert found == {("settlement.main", 1, "main"): (0, 950)}
    found, verdict = findings([{**seat(1, *WINNER), "result": {**NOTHING, "main": 1000}}])
    assert found == {
        ("settlement.main", 1, "main"): (1000, 950),
        ("fee.commission", 1, "main"): (0, 50),
    }
    assert sum(each.delta for each in verdict.findings) == 50
    assert all("PG-18" in each.cites for each in verdict.findings)


def test_dealer_set_against_the_house_way_is_settled_by_it():
    wrong = {**DEALER, "parts": ["9s 7c", "Ah Kd 5d 4h 2c"]}
    hand = ("Js Jd Kc Th 8c 6d 3s", ["Kc Th", "Js Jd 8c 6d 3s"])
    found, verdict = findings([{**seat(1, *hand), "result": {**NOTHING, "main": 950}}], house=wrong)
    assert list(found) == [("setting.dealer", None, None)]
    assert "PG-15" in verdict.findings[0].cites


def test_dealer_is_compared_by_rank_and_not_by_suit():
    cards = "Ah Kd 9s 9c 5d 4h 2c"
    for parts in (["Ah Kd", "9s 9c 5d 4h 2c"], ["Kd Ah", "2c 9c 9s 4h 5d"]):
        found, _ = findings([seat(1, *LOSER, main=1000)], house={"cards": cards, "parts": parts})
        assert ("setting.dealer", None, None) not in found


def test_parts_of_other_cards_bar_a_seat_only():
    bad = seat(2, LOSER[0], ["8h 8s", "Ts Td Kc 6c 3d"])
    good = {**seat(1, *WINNER), "result": {**NOTHING, "main": 950}}
    found, verdict = findings([good, bad])
    assert list(found) == [("setting.cards", 2, None)]
    assert dict(verdict.seats)[2] is None
    assert dict(verdict.seats)[1]["main"] == 950


def test_wrong_count_at_the_dealer_or_banker_is_irregular():
    short = {"cards": "Ah Kd 9s 7c 5d 4h", "parts": ["Kd 9s", "Ah 7c 5d 4h 2c"]}
    _, verdict = findings([seat(1, *LOSER)], house=short)
    assert {each.code for each in verdict.findings} == {"deal.count", "irregular"}
    house = {**DEALER, "wager": 0, "result": 0}
    bad = seat(1, "Js Jd As Qh 8c 6d 3s 2d", WINNER[1], main=0)
    _, verdict = findings([bad, seat(2, *LOSER)], house=house, banker=1, bank=5000)
    assert verdict.status == "irregular"


def test_fouled_banker_is_set_again():
    house = {**DEALER, "wager": 0, "result": 0}
    foul = seat(1, WINNER[0], ["Js Jd", "As Qh 8c 6d 3s"], main=0)
    foul["result"]["main"] = 950
    loser = {**seat(2, *LOSER), "result": {**NOTHING, "main": -1000}}
    found, verdict = findings([foul, loser], house=house, banker=1, bank=5000)
    assert list(found) == [("setting.banker", 1, None)]
    assert verdict.house == {"main": 0}


def test_bank_must_cover_and_sum_to_zero():
    house = {**DEALER, "wager": 3000, "result": -2000}
    banker = seat(1, *WINNER, main=0)
    banker["result"]["main"] = 3800
    loser = {**seat(2, *LOSER), "result": {**NOTHING, "main": -1000}}
    found, _ = findings([banker, loser], house=house, banker=1, bank=3999)
    assert found == {
        ("bank.cover", None, None): (3999, 4000),
        ("settlement.main", None, "house"): (-2000, -3000),
        # -2000 - 1000 + 3800, and the commission of 200
        ("settlement.balance", None, "main"): (1000, 0),
    }


def test_missing_main_is_allowed_to_the_banker_only():
    house = {**DEALER, "wager": 0, "result": 0}
    found, _ = findings(
        [seat(1, *WINNER, main=0), seat(2, *LOSER, main=0)], house=house, banker=1, bank=0
    )
    assert list(found) == [("wager.missing", 2, "main")]


def test_round_kept_as_logged_is_settled_alike():
    filed = {SLUG: definition_of(SLUG)}
    run = FiledGames(filed).run(read_setup("{}", filed))
    house = {**DEALER, "wager": 0, "result": 0}
    banker = seat(1, *WINNER, main=0)
    banker["result"]["main"] = 950
    loser = {**seat(2, *LOSER), "result": {**NOTHING, "main": -1000}}
    codes = []
    for number in (1, 2):
        text = line(SLUG, [banker, loser], house=house, banker=1, bank=1000, round=f"r-{number}")
        read = read_line(text, {SLUG: read_filed})
        assert not isinstance(read, Rejection), read
        codes.append([each.code for each in run.verdict(read).findings])
    run.close()
    assert codes == [[], ["bank.turn"]]


def test_irregularity_requires_a_void_round():
    found, _ = findings(
        [{**seat(1, *WINNER), "result": {**NOTHING, "main": 950}}], irregularities=["card exposed"]
    )
    assert found == {
        ("void.missing", None, None): ("played", "void: card exposed"),
        ("settlement.main", 1, "main"): (950, 0),
    }


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("jokers = 1", "jokers = 2", "game.deck.jokers", "one joker, in one deck"),
        ("cards = 7\n", "cards = 8\n", "part", "7 cards; `deal` gives 8"),
        ("players = 6", "players = 7", "deal", "8 hands take 56 cards"),
        ('low_straight = "PG-I1"', 'low_straight = "PG-I2"', "ranking.high.low_straight", "lowest"),
        ('"five_of_a_kind", "straight_flush"', '"straight_flush"', "hand.high.ranking",
         "Add `five_of_a_kind`"),
        ('order = ["pair", "high_card"]', 'order = ["flush", "high_card"]',
         "setting.house_way[0].parts.low.at_least", "no hand `pair`"),
        ('parts = { low = {', 'parts = { lower = {', "setting.house_way[0].parts.lower", "no part"),
        ('prefer = ["low", "high"]', 'prefer = ["low", "high"]\nreading = { PG-I1 = "second" }',
         "setting.house_way", "The last rule"),
        ('commission = "1/20"\nclause', 'commission = "3/2"\nclause', "bank.commission", "0 to 1"),
        ('commission = "1/20", clause', 'commission = 1, clause',
         "wager.main.outcomes[3].commission", "such as"),
        ("[wager.main]", "[wager.ante]", "bank", "Name the wager against the bank `main`"),
        ("four_of_a_kind = 500", "four_pairs = 500", "envy.envy.pays", "no line `four_pairs`"),
        ("[envy.envy", "[envy.fortune", "envy.fortune", "Use another name"),
    ],
)  # fmt: skip
def test_absurd_definition_is_rejected_in_a_sentence(old, new, where, what):
    assert old in TEXTS[SLUG]
    with pytest.raises(DefinitionError) as raised:
        read_definition(TEXTS[SLUG].replace(old, new))
    found = {each.where: each.what for each in raised.value.problems}
    assert what in found[where]


def test_simulated_faults_of_sets_are_found():
    """Rounds are settled right, except where the dealer set otherwise or kept no commission."""
    definition = definition_of(SLUG)
    setup = with_definition(read_setup("{}", {SLUG: definition}), definition)
    faults = (
        FaultPlan(name="dealer_set_otherwise", rate=Fraction(1, 4)),
        FaultPlan(name="commission_forgotten", rate=Fraction(1, 2)),
    )
    opening = datetime(2025, 7, 12, 20, tzinfo=UTC)
    plan = Plan(game=SLUG, tables=("T1",), opening=opening, setup=setup, faults=faults)
    planted = set()
    for dealt in islice(deal_night(plan), 40):
        game = setup.filed[SLUG]
        verdict = game.settle(read_filed(LineObject(json.loads(dealt.line), "", 1)), setup, BEFORE)
        found = sorted((each.code, each.seat or 0, each.delta or 0) for each in verdict.findings)
        assert found == sorted((each.code, each.seat or 0, each.delta) for each in dealt.planted)
        planted |= {each.code for each in dealt.planted}
    assert planted == {"setting.dealer", "settlement.main", "fee.commission"}
