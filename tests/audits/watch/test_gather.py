"""A segment's statistics, beside a plain loop over its rounds."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from audits.watch.errors import count_errors
from audits.watch.gather import gather_statistics
from audits.watch.statistics import (
    ALL,
    HOUSE,
    PLAYER,
    PLAYERS,
    TABLE,
    Cards,
    Measure,
    Statistics,
    Subject,
    Wager,
)
from games.cards import CARD
from games.statistics.errors import Errors
from games.statistics.results import PLAIN, RAISED, Weighted
from tests.audits.judging.segments import made_segment
from tests.audits.replay.nights import dealt


def night(game, count=60):
    """Return rounds of two tables; one is void, one has a field of its own."""
    rounds = dealt(count, game=game)
    rounds[3]["x_note"] = "kept"
    rounds[5] = {**rounds[5], "void": "power failure"}
    for seat in rounds[5]["seats"]:
        seat["result"] = dict.fromkeys(seat["result"], 0)
    return rounds


def gathered(tmp_path, rounds):
    lines = [json.dumps(each).encode() + b"\n" for each in rounds]
    return gather_statistics(made_segment(tmp_path / "segment", lines, rounds[0]["game"]))


def cards_of(seat):
    text = seat.get("cards") or " ".join(seat[part] for part in ("front", "middle", "back"))
    return text.split(" ")


def played(rounds):
    return [each for each in rounds if "void" not in each]


@pytest.mark.parametrize("game", ["pyramid-poker", "pick-2-poker", "chinese-poker"])
def test_cards_are_counted_as_in_a_plain_loop(tmp_path, game):
    rounds = night(game)
    dealt_to, drawn, of_player = Counter(), Counter(), Counter()
    for each in played(rounds):
        seats = [cards_of(seat) for seat in each["seats"]]
        dealt_to.update((each["table"], card) for cards in seats for card in cards)
        drawn[each["table"], sum(map(len, seats))] += 1
        for seat in each["seats"]:
            of_player.update((seat.get("player"), card) for card in cards_of(seat))
    found = gathered(tmp_path, rounds)
    assert found.rounds == len(rounds) - 1
    for table in ("T1", "T2"):
        seen = found.cards[Cards(Subject(TABLE, table), PLAYERS)]
        assert {c: int(seen.counts[CARD[c]]) for c in CARD} == {c: dealt_to[table, c] for c in CARD}
        assert {(table, shoe.drawn): often for shoe, often in seen.shoes.items()} == {
            key: often for key, often in drawn.items() if key[0] == table
        }
    for player in {name for name, _ in of_player if name}:
        counts = found.cards[Cards(Subject(PLAYER, player), PLAYERS)].counts
        assert {c: int(counts[CARD[c]]) for c in CARD} == {c: of_player[player, c] for c in CARD}


def test_dealer_and_players_add_up_to_all_cards(tmp_path):
    found = gathered(tmp_path, night("pyramid-poker"))
    for table in ("T1", "T2"):
        every, players, house = (
            found.cards[Cards(Subject(TABLE, table), role)] for role in (ALL, PLAYERS, HOUSE)
        )
        assert (every.counts == players.counts + house.counts).all()
        assert {shoe.drawn for shoe in house.shoes} == {3}
        assert every.shoes.total() == players.shoes.total() == house.shoes.total()


def test_repeated_cards_are_those_of_the_previous_round(tmp_path):
    rounds = dealt(40, game="pick-2-poker", tables=("T1",))
    found = gathered(tmp_path, rounds)
    decks, seen = {}, Counter()
    for each in rounds:
        cards = [c for seat in each["seats"] for c in cards_of(seat)]
        cards += each["house"]["cards"].split(" ")
        deck = each.get("deck")
        seen[deck] += sum(card in decks[deck] for card in cards) if deck in decks else 0
        decks[deck] = set(cards)
    assert sum(again.seen for again in found.again.values()) == seen.total()


def test_results_count_each_round_by_its_seats(tmp_path):
    rounds = night("pyramid-poker")
    found = gathered(tmp_path, rounds)
    wins = rounds_played = 0
    for each in played(rounds):
        if "banker" in each:  # against a player's bank, main has no known chance
            continue
        rounds_played += any(seat["wagers"]["main"] for seat in each["seats"])
        wins += sum(seat["result"]["main"] > 0 for seat in each["seats"])
    tables = [found.results[Wager(Subject(TABLE, table), "main", 6)] for table in ("T1", "T2")]
    assert sum(table.rounds.total() for table in tables) == rounds_played
    assert sum(s.won * n for table in tables for s, n in table.rounds.items()) == wins


def test_raises_of_a_player_go_by_the_order_of_play(tmp_path):
    rounds = dealt(6, game="pyramid-poker", tables=("T1",))
    for number, each in enumerate(rounds):
        seat = each["seats"][0]
        seat["player"], amount = "p-1", 40_000 if number == 4 else 5_000
        seat["wagers"]["main"], seat["result"]["main"] = amount, amount
        for other in each["seats"][1:]:
            other.pop("player", None)
    found = gathered(tmp_path, rounds)
    of_player = Wager(Subject(PLAYER, "p-1"), "main", 6)
    assert found.players[Measure(of_player, PLAIN)].wagers == {Weighted(8, 1): 6}
    # four like the average, one of 40,000 beside an average of 12,000, one below it
    assert found.players[Measure(of_player, RAISED)].wagers == {
        Weighted(0, 1): 4,
        Weighted(round(8 * 28 / 40), 1): 1,
        Weighted(round(8 * (5_000 - 65_000 / 6) / 40_000), 1): 1,
    }


def test_statistics_survive_being_stored(tmp_path):
    found = gathered(tmp_path, night("pyramid-poker"))
    again = Statistics.unpack(found.packed())
    assert again.packed() == found.packed()
    again.add(found)
    key = Cards(Subject(TABLE, "T1"), ALL)
    assert (again.cards[key].counts == 2 * found.cards[key].counts).all()
    assert len(found.packed()) < 20_000


def test_errors_alike_count_only_a_few_times():
    def error(round_, delta, line="flush", **more):
        return {
            "code": "settlement.three_card", "seat": 1, "wager": "three_card", "delta": delta,
            "table": "T1", "player": None, "round": round_, "line": line, **more,
        }  # fmt: skip

    systematic = [error(f"R{n}", -100) for n in range(50)]
    others = [error("S1", 500, "straight"), error("S1", -900, "one_pair"), error("S2", 50, None)]
    no_error = [error("S3", 0), error("S4", 9, seat=None), error("S5", 9, code="limit.wac")]
    assert count_errors([*systematic, *others, *no_error]) == {
        Subject(TABLE, "T1"): Errors(over=1, under=4)
    }
    assert count_errors([error("R1", 5, player="p-1")])[Subject(PLAYER, "p-1")] == Errors(over=1)
