"""Families' kernels over columns: never certain of a round that the audit flags."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from games.definition import read_definition
from games.families.filed import FiledGame, with_definition
from games.log.field_types import FormError
from games.log.form import LineObject
from games.setup import Setup
from games.terms import NOTHING
from tests.games.families.filed_games import definition_of

pytestmark = pytest.mark.deep  # compiling the kernels of three families takes minutes

AGAIN = Path(__file__).with_name("let_it_ride_again.toml")
HEAD = {"v": 2, "round": "r", "table": "T", "at": "2025-07-12T20:00:00-07:00"}
LIMITS = Setup(cap=40_000, limits={"T": {"main": (500, 20_000), "ante": (500, 20_000)}})
ROUNDS = 1_000_000


def dealt(definition, setup, chance):
    game = setup.filed[definition.slug]
    seats = sorted(chance.sample(range(1, 6), chance.randint(1, 4)))
    return {**HEAD, "game": definition.slug, **game.deal(setup, seats, "T", chance)}


def damage(line, chance):
    """Change one amount, card or choice of a line; perhaps to what it was."""
    seat = chance.choice(line["seats"])
    what = chance.choice(("result", "wagers", "cards", "choices", "house"))
    if what in {"result", "wagers"}:
        key = chance.choice(list(seat[what]))
        seat[what][key] = chance.choice((0, 100, 500, 1000, 50_000, seat[what][key] + 100))
    elif what == "choices" and what in seat:
        key = chance.choice(list(seat[what]))
        others = [each["choices"].get(key, "") for each in line["seats"]]
        seat[what][key] = chance.choice(others) or seat[what][key]
    else:
        hand = line.get("house", {}) if what == "house" else seat
        if "cards" in hand:
            cards = hand["cards"].split()
            cards[chance.randrange(len(cards))] = chance.choice(("As", "2d", "7h", "Jo"))
            hand["cards"] = " ".join(cards[: len(cards) - (chance.random() < 0.2)])


@pytest.mark.parametrize("slug", ["three-card-poker", "mini-baccarat", "pai-gow-poker"])
def test_screen_is_certain_of_right_rounds_only(slug):
    definition, chance = definition_of(slug), random.Random(slug)
    setup = with_definition(LIMITS, definition)
    game, rounds = setup.filed[slug], []
    for _ in range(2_000):
        line = dealt(definition, setup, chance)
        if chance.random() < 0.4:
            damage(line, chance)
        try:
            rounds.append(game.read(LineObject(json.loads(json.dumps(line)), "", 1)))
        except FormError:
            continue
    statuses = [game.settle(each, setup, NOTHING).status for each in rounds]
    screen = game.screen(setup)
    certain = screen.sift(screen.columns(rounds))
    is_ok = np.array(statuses) == "ok"
    assert not (certain.astype(bool) & ~is_ok).any()
    assert certain.sum() == is_ok.sum()  # nothing here needs the audit to see that it is right
    assert 0.6 < certain.mean() < 0.95


def test_two_encodings_settle_a_million_rounds_alike():
    first, again = definition_of("let-it-ride"), read_definition(AGAIN.read_text("utf-8"))
    setup, chance = with_definition(Setup(), first), random.Random(1)
    game = FiledGame(first)
    other = FiledGame(again)
    screen = other.screen(with_definition(Setup(), again))
    for _ in range(ROUNDS // 10_000):
        lines = [dealt(first, setup, chance) for _ in range(10_000)]
        rounds = [game.read(LineObject(line, "", 1)) for line in lines]
        assert screen.sift(screen.columns(rounds)).all()
