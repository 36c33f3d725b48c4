"""A segment's statistics, beside a plain loop over its rounds."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime

import pytest

from audits.watch.errors import count_errors
from audits.watch.gather import gather_statistics
from audits.watch.statistics import (
    ALL,
    DEALER,
    HOUSE,
    PAIR,
    PLAYER,
    PLAYERS,
    SHIFT,
    TABLE,
    Cards,
    Measure,
    Statistics,
    Subject,
    Wager,
)
from audits.watch.worked import Staked, Worked
from games.cards import CARD
from games.statistics.cards import Again, Draw
from games.statistics.decisions import DRAWN
from games.statistics.errors import Errors
from games.statistics.results import PLAIN, RAISED, Weighted
from games.statistics.shoes import KINDS
from tests.audits.auditing.segments import made_segment
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
    assert sum(s[2] * n for table in tables for s, n in table.rounds.items()) == wins


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
    # four as usual, one of 40,000, and one beside a usual of 5,000 times the fifth root of 8
    assert found.players[Measure(of_player, RAISED)].wagers == {
        Weighted(0, 1): 4,
        Weighted(8, 1): 1,
        Weighted(-1, 1): 1,
    }


def staffed(rounds, **more):
    """Return the rounds with their dealers, shifts and shoes: ten rounds to a shoe."""
    return [
        {**each, "v": 2, "dealer_id": f"d-{number % 3}", "shift": "swing",
         "shoe": f"{each['table']}-{number // 10}", **more}
        for number, each in enumerate(rounds)
    ]  # fmt: skip


def test_dealers_shifts_and_pairs_match_a_plain_loop(tmp_path):
    rounds = staffed(night("pyramid-poker"))
    found = gathered(tmp_path, rounds)
    cards, pairs = Counter(), Counter()
    for each in played(rounds):
        met = set()
        for seat in each["seats"]:
            cards.update((each["dealer_id"], card) for card in cards_of(seat))
            player = seat.get("player")
            if player and player not in met and seat["wagers"]["main"] and "banker" not in each:
                result = seat["result"]["main"]
                pairs[f"{each['dealer_id']}, {player}", (result > 0) - (result < 0)] += 1
                met.add(player)
    for dealer in ("d-0", "d-1", "d-2"):
        counts = found.cards[Cards(Subject(DEALER, dealer), PLAYERS)].counts
        assert {c: int(counts[CARD[c]]) for c in CARD} == {c: cards[dealer, c] for c in CARD}
    swing = found.cards[Cards(Subject(SHIFT, "swing"), PLAYERS)].counts
    tables = [found.cards[Cards(Subject(TABLE, each), PLAYERS)].counts for each in ("T1", "T2")]
    assert (swing == sum(tables)).all()
    assert {
        (where.wager.subject.name, each.outcome): often
        for where, results in found.players.items()
        for each, often in results.wagers.items()
        if where.wager.subject.scope == PAIR and where.wager.wager == "main"
    } == pairs


def test_named_shoe_is_counted_until_it_deals_a_surplus_card(tmp_path):
    rounds = staffed(dealt(40, game="pick-2-poker", tables=("T1",)), decks=6)
    found = gathered(tmp_path, rounds)
    # ten rounds of one deck each, shuffled anew, are soon more than its four aces
    aces = KINDS.index("aces")
    through = found.through[Subject(TABLE, "T1")]
    assert 0 < through.seen[aces] <= 4 * 6 * 4
    assert Statistics.unpack(found.packed()).packed() == found.packed()
    again = Statistics.unpack(found.packed())
    again.add(found, sign=-1)
    assert not again.through


def test_rounds_with_tokes_and_irregularities_are_counted(tmp_path):
    rounds = dealt(20, game="pick-2-poker")
    plain = gathered(tmp_path, rounds)
    for each in rounds:
        each |= {"v": 2, "irregularities": ["card face up"], "meters": {"grand": 5}}
        each["seats"] = [{**seat, "tokes": 100} for seat in each["seats"]]
    found = gathered(tmp_path, rounds)
    assert found.rounds == plain.rounds
    assert found.cards.keys() == plain.cards.keys()
    assert all((found.cards[key].counts == plain.cards[key].counts).all() for key in plain.cards)
    assert found.results == plain.results


def test_decisions_are_counted_by_player_and_dealers_rank(tmp_path):
    rounds = dealt(60, game="pick-2-poker")
    found = gathered(tmp_path, rounds)
    folds, stays = Counter(), Counter()
    for each in rounds:
        for player in {seat["player"] for seat in each["seats"] if seat.get("player")}:
            seat = next(seat for seat in each["seats"] if seat.get("player") == player)
            (folds if seat["play"] == "fold" else stays)[player] += 1
    seats = Counter(seat["play"] == "fold" for each in rounds for seat in each["seats"])
    counted = {1: Counter(), -1: Counter()}
    for subject, decisions in found.decisions.items():
        for (sign, rank), often in decisions.made.items():
            assert 0 <= rank <= DRAWN
            if subject.scope == PLAYER:
                counted[sign][subject.name] += often
            else:
                seats[sign == 1] -= often
    assert counted == {1: folds, -1: stays}
    assert not any(seats.values())
    assert gathered(tmp_path, rounds).packed() == found.packed()


def test_records_of_a_table_are_those_of_a_plain_loop(tmp_path):
    rounds = dealt(60, game="pick-2-poker", tables=("T1",))
    found = gathered(tmp_path, rounds).records["T1"]
    results = [-sum(sum(seat["result"].values()) for seat in each["seats"]) for each in rounds]
    wagers = [sum(sum(seat["wagers"].values()) for seat in each["seats"]) for each in rounds]
    at = [datetime.fromisoformat(each["at"]) for each in rounds]
    assert (found.rounds, found.won, found.wagered) == (60, sum(results), sum(wagers))
    assert found.seconds == (at[-1] - at[0]).total_seconds()
    assert found.ends == Counter(each.second % 10 for each in at)
    assert found.amounts == Counter((len(str(each)) - 1, int(str(each)[0])) for each in wagers)
    assert (found.repeated, found.unfit) == (0, 0)


def test_repeated_deal_has_all_cards_at_the_same_seats(tmp_path):
    rounds = dealt(30, game="pick-2-poker")
    for number, from_ in ((20, 3), (25, 20)):
        copied = [{**seat} for seat in rounds[from_]["seats"]]
        rounds[number] |= {"seats": copied, "house": rounds[from_]["house"]}
    rounds[28]["seats"] = rounds[28]["seats"][:1]
    records = gathered(tmp_path, rounds).records
    assert sum(each.repeated for each in records.values()) == 2
    assert {hint.what for each in records.values() for hint in each.hints()} == {"Repeated deals"}


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
    worked = {"R1": Worked("d-1", "swing")}
    by_dealer = count_errors([error("R1", 5, player="p-1"), error("R2", 5)], worked)
    assert by_dealer == {
        Subject(TABLE, "T1"): Errors(over=2),
        Subject(PLAYER, "p-1"): Errors(over=1),
        Subject(SHIFT, "swing"): Errors(over=1),
        Subject(DEALER, "d-1"): Errors(over=1),
        Subject(PAIR, "d-1, p-1"): Errors(over=1),
    }


def test_favored_player_is_compared_with_seats_alike_only():
    # seats 1 to 3 wagered $10 and pushed, 4 wagered $100, 5 lost; each error pays a push as a win
    def staked(seat, player, amount=1_000, result=0, choices=("main",)):
        return Staked(seat, player, amount, result, choices)

    def error(seat, player, delta):
        return {
            "code": "settlement.main", "seat": seat, "wager": "main", "delta": delta, "table": "T1",
            "player": player, "round": "R1", "line": None,
        }  # fmt: skip

    alike = [staked(1, "p-1", result=1_000), staked(2, "p-2"), staked(3, "p-3")]
    others = [staked(4, "p-4", 10_000, 10_000), staked(5, "p-5", result=-1_000)]
    other_choice = staked(6, "p-6", result=1_000, choices=("main", "six_card"))
    worked = {"R1": Worked("d-1", None, {"main": [*alike, *others, other_choice]})}
    counted = count_errors(
        [error(1, "p-1", 1_000), error(4, "p-4", 10_000), error(6, "p-6", 1_000)], worked
    )
    favors = {of.name: each.favors for of, each in counted.items() if each.favors.draws}
    one_of_three = Counter({Draw(3, 1, 1): 1})
    assert favors == {
        name: Again(seen, one_of_three)
        for player, seen in (("p-1", 1), ("p-2", 0), ("p-3", 0))
        for name in (player, f"d-1, {player}")
    }
