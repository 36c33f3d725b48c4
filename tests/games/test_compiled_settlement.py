"""The compiled kernels settle rounds rich in rare hands like the plain functions."""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest

from games.casino_version import play as casino
from games.casino_version import settle as casino_kernels
from games.chinese_poker import play as chinese
from games.chinese_poker import settle as chinese_kernels
from games.chinese_poker.reasons import NATURALS
from games.kernel import compiled
from games.rule_set import rule_set
from games.setup import read_setup
from games.showdown import play as showdown
from games.showdown import settle as showdown_kernels
from tests.games.as_round import as_round
from tests.games.rounds.setups import random_setup
from tests.games.rounds.table import deal_table

ROUNDS = 150
SEEDS = ("one", "two", "three")


def rounds_of(slug, seed, number=ROUNDS):
    """Return rounds that can be settled, with their set-up and the plain functions' results."""
    rng = Random(f"{slug} {seed}")
    setup = random_setup(rng, slug, ["T1"])
    lines = deal_table(rng, slug, "T1", number, setup)
    terms = read_setup(json.dumps(setup))
    plain = {"chinese-poker": chinese, "showdown": showdown, "casino-version": casino}[slug].settle
    for line in lines:
        round_ = as_round(line)
        outcome = plain(round_, terms)
        if outcome.irregular is None:
            yield round_, terms, outcome


@pytest.mark.parametrize("seed", SEEDS)
def test_chinese_tables(seed):
    take_seat = compiled(chinese_kernels.take_seat)
    settle_table = compiled(chinese_kernels.settle_table)
    standings = set()
    for round_, setup, outcome in rounds_of("chinese-poker", seed):
        terms = chinese.terms_of(round_.scoring, setup)
        table = np.zeros(4 * len(round_.seats), np.int64)
        for place, seat in enumerate(round_.seats):
            if seat.play == "surrender":
                table[4 * place + 3] = chinese_kernels.SURRENDERED
                continue
            cards = np.frombuffer(b"".join(seat.hands), np.uint8)
            declared = NATURALS.index(seat.natural) if seat.natural else -1
            take_seat(table, 4 * place, cards, 0, declared, terms)
        units = np.zeros(len(round_.seats), np.int64)
        settle_table(table, len(round_.seats), terms, units)
        assert (units * round_.unit).tolist() == [won.amounts["total"] for won in outcome.seats]
        plain = [0] * len(round_.seats)
        chinese_kernels.settle_table(table.tolist(), len(plain), terms, plain)
        assert plain == units.tolist()
        standings |= set(table[3::4].tolist())
    assert chinese_kernels.PROPER in standings
    assert len(standings) > 1


@pytest.mark.parametrize("seed", SEEDS)
def test_showdown_tables(seed):
    take_seat = compiled(showdown_kernels.take_seat)
    settle_table = compiled(showdown_kernels.settle_table)
    fouls = set()
    for round_, setup, outcome in rounds_of("showdown", seed, 60):
        seats = len(round_.seats)
        cards = np.frombuffer(b"".join(b"".join(seat.hands) for seat in round_.seats), np.uint8)
        table = np.zeros(showdown_kernels.SEAT * seats, np.int64)
        first = 0
        for place, seat in enumerate(round_.seats):
            if seat.play == "showdown":
                sizes = np.array([len(hand) for hand in seat.hands], np.int8)
                take_seat(table, showdown_kernels.SEAT * place, cards, first, sizes, 0)
                first += int(sizes.sum())
        played = np.array([showdown.PLAYED_TO[str(seat.play)] for seat in round_.seats], np.int8)
        dealer = [seat.seat for seat in round_.seats].index(round_.dealer)
        values = showdown.values_of(rule_set("showdown"), setup.reading("SD-I1"))
        sums = np.zeros((3, seats), np.int64)
        settle_table(cards, table, played, seats, dealer, np.array(values), *sums)
        for key, row in zip(("showdown", "surrender", "pot"), sums, strict=True):
            assert (row * round_.chip).tolist() == [won.amounts[key] for won in outcome.seats]
        fouls |= set(table[showdown_kernels.FOULED_AT :: showdown_kernels.SEAT].tolist())
    assert fouls == {0, 1}


@pytest.mark.parametrize("seed", SEEDS)
def test_casino_version_seats(seed):
    net_points = compiled(casino_kernels.net_points)
    strengths = compiled(casino_kernels.strengths)
    settle_points = compiled(casino_kernels.settle_points)
    nets = set()
    for round_, setup, outcome in rounds_of("casino-version", seed):
        terms = casino.terms_of(setup)
        dealer = np.frombuffer(b"".join(round_.house.hands), np.uint8)
        for seat, won in zip(round_.seats, outcome.seats, strict=True):
            if seat.play == "fold":
                continue
            cards = np.frombuffer(b"".join(seat.hands), np.uint8)
            mine, others = strengths(cards, 0), strengths(dealer, 0)
            net = net_points(mine, others, cards, 0, dealer, 0, terms)
            amounts = settle_points(net, seat.wagers["ante"], seat.wagers["buy_in"])[:3]
            assert amounts == tuple(won.amounts[key] for key in ("points", "ante", "buy_in"))
            nets.add(net)
    assert min(nets) < -3
    assert max(nets) > 3
