"""Filed games: cards, results and decisions are watched by their definition."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path

import pytest

from audits.watch.filed import FiledGame, FiledGathering
from audits.watch.reads import coverage, streams
from audits.watch.statistics import TABLE, Statistics, Subject, Wager
from audits.watch.streams import FEWEST, streams_of
from audits.watch.writes import watch_operator
from compliance.access.scope import without_access_scope
from games.definition import read_definition
from games.log.round import FiledRound
from games.rule_set import as_rule_set
from games.statistics.by_odds import HIGHER_HAND, chances_by_odds
from games.statistics.errors import Errors
from games.statistics.filed import watched_of
from tests.audits.replay.nights import on_file
from tests.audits.replay.test_filed_games import EVENING, SLUG, flush, open_all_day
from tests.compliance.controls.filing import Room

pytestmark = pytest.mark.django_db


def test_repeated_hand_at_filed_game_is_an_alarm():
    with without_access_scope():
        room = Room(SLUG, open_all_day())
        rounds = [
            flush(f"r{number}", "T1", EVENING + timedelta(seconds=number % 50), 4)
            for number in range(100)
        ]
        on_file(room.party, [{**each, "dealer_id": "d-1"} for each in rounds])
        assert watch_operator(room.party)
        found = {(each.name, each.figures.statistic): each for each in streams(room.party)}
    assert coverage(room.party).uncounted == 0
    for who in ("table T1", "player p-1", "dealer d-1"):
        kings = found[f"{SLUG}: {who}: players' cards", "kings"]
        assert kings.figures.observed == 100
        assert kings.figures.expected == pytest.approx(100 * 3 / 13)
        assert kings.is_alarm


RANKS, SUITS = "23456789TJQKA", "cdhs"


def strength(cards):
    ranks = [RANKS.index(card[0]) for card in cards]
    return 100 * (len(ranks) - len(set(ranks))) + max(ranks)


def hand(seat, cards, *, folds, won):
    return {
        "seat": seat, "player": f"p-{seat}", "cards": " ".join(cards),
        "choices": {"play": "fold" if folds else "raise"},
        "wagers": {"ante": 500, "play": 0 if folds else 500, "pair_plus": 0, "six_card": 0},
        "result": {"ante": won if not folds else -500, "play": 0 if folds else won,
                   "pair_plus": 0, "six_card": 0},
    }  # fmt: skip


def marked(number, chance):
    """Return a round in which the first player folds when the dealer's hidden hand is strong."""
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    chance.shuffle(deck)
    house, *others = (deck[3 * place : 3 * place + 3] for place in range(4))
    seats = [
        hand(place + 1, cards,
             folds=strength(house if place == 0 else cards) > (9 if place == 0 else 11),
             won=500 if strength(cards) > strength(house) else -500)
        for place, cards in enumerate(others)
    ]  # fmt: skip
    at = (EVENING - timedelta(hours=5) + timedelta(seconds=50 * number)).isoformat()
    return {"v": 2, "round": f"m{number}", "game": SLUG, "table": "T1", "at": at,
            "house": {"cards": " ".join(house)}, "seats": seats}  # fmt: skip


def test_player_who_folds_by_the_hidden_hand_of_a_filed_game_is_found():
    chance = random.Random(3)
    with without_access_scope():
        room = Room(SLUG, open_all_day())
        log = on_file(room.party, [marked(number, chance) for number in range(250)])
        assert log.rejected == 0
        assert watch_operator(room.party)
        found = streams(room.party)
    alarms = {each.title.partition(",")[0] for each in found if each.is_alarm}
    assert alarms == {"Player p-1: decisions to fold", "Seat 1 at table T1: decisions to fold"}
    (net,) = (each for each in found if each.title == "Player p-2: Ante, results")
    assert net.figures.deviation > 0
    assert net.assumes.startswith("A bound")


def side(number, player, banker, wagers):
    """Return a round of baccarat with one seat."""
    line = {
        "hands": {"player": player, "banker": banker},
        "seats": [{"seat": 1, "player": "p-1", "wagers": wagers,
                   "result": dict.fromkeys(wagers, 0)}],
    }  # fmt: skip
    return FiledRound(
        round=f"b{number}", game="mini-baccarat", table="T1", at=number, seats=(), line=line
    )


def test_wager_on_a_hand_is_compared_with_its_first_two_cards():
    folder = Path(__file__).parents[3] / "games" / "mini_baccarat"
    definition = read_definition((folder / "definition.toml").read_text())
    game = FiledGame((definition,), "baccarat", as_rule_set(definition).decks, "",
                     watched_of(definition))  # fmt: skip
    found = Statistics()
    gathering = FiledGathering(found, game)
    for number, each in enumerate((
        ("9s Kd", "2c 3d", {"player": 500}),  # 9 beats 5
        ("9s Kd", "2c 3d", {"banker": 500, "tie": 100}),
        ("2s 2d 5c", "Kc 3d 6s", {"banker": 500}),  # 4 beats 3, and 9 loses to 9 all the same
        ("2s 3d", "Kc 5d", {"player": 500}),  # equal
        ("9s Kd", "2c 3d", {"player": 500, "banker": 500}),  # on both
        ("9s Kd", "2c 3d", {"tie": 500}),  # on neither
    )):  # fmt: skip
        gathering.add(side(number, *each))
    gathering.finish()
    found.rounds = FEWEST
    known = chances_by_odds(definition, [])
    assert found.results[Wager(Subject(TABLE, "T1"), HIGHER_HAND, 8)].rounds == {
        (0, 0, 1): 1, (1, 0, 0): 2,
    }  # fmt: skip
    (stream,) = (
        each
        for each in streams_of("mini-baccarat", found, {}, lambda *_: known)
        if each.title == "Player p-1: Higher first two cards, results"
    )
    assert (stream.figures.observed, stream.figures.expected) == (-1, 0)


def test_strongest_hint_is_no_alarm():
    errors = {Subject(TABLE, "T1"): Errors(over=90)}  # 2^90 / 91 = 10^25
    (stream,) = streams_of("pyramid-poker", Statistics(), errors, lambda *_: {})
    assert stream.figures.evidence > 25
    assert (stream.is_hint, stream.is_alarm) == (True, False)
