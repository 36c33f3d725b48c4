import pytest

from tests.games.checks.lines import NO_HAND, found_of, hand, pick_2, pyramid
from tests.games.written_rounds import pick_2_seat

FOUND = [("deal.shoe", None, None)]


@pytest.mark.parametrize(("decks", "allowed"), [(1, False), (5, False), (6, True), (100, True)])
def test_pyramid_poker_has_six_decks_or_more(decks, allowed):
    # PP-1
    assert found_of(pyramid(hand(), decks=decks), "deal") == ([] if allowed else FOUND)


@pytest.mark.parametrize("decks", [2, 6])
def test_other_games_have_their_own_number_of_decks(decks):
    # P2-1
    line = pick_2(pick_2_seat(NO_HAND, "fold"), decks=decks)
    assert ("deal.shoe", None, None) in found_of(line, "deal")
