"""Cards as bytes: every spelling parsed and written back, all else rejected with a sentence."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cards import (
    JOKER,
    NAMED,
    RANKS,
    SPELLING,
    SUITS,
    CardError,
    as_set,
    dealt,
    rank,
    show,
    suit,
    unnamed,
)


def test_every_card_has_its_byte_and_its_spelling():
    spelled = [a + b for a, b in product(RANKS, SUITS)]
    assert [dealt(text)[0] for text in spelled] == list(range(52))
    assert [show(bytes([card])) for card in range(52)] == spelled


def test_ranks_and_suits_come_from_natural_and_named_cards():
    for card in range(52):
        for byte in (card, NAMED + card):
            assert rank(byte) == RANKS.index(SPELLING[card][0])
            assert suit(byte) == SUITS.index(SPELLING[card][1])


def test_spades_are_the_highest_suit():
    # SD-19
    assert sorted(SUITS, key=SUITS.index) == ["c", "d", "h", "s"]


def test_a_joker_is_plain_as_dealt_and_named_as_set():
    assert dealt("Jo As") == bytes([JOKER, 51])
    assert show(as_set("Jo=As As")) == "Jo=As As"
    assert unnamed(as_set("Jo=As As")) == dealt("Jo As")


@pytest.mark.parametrize(
    ("read", "text", "says"),
    [
        (dealt, "As  Ks", "one space"),
        (dealt, "As Ks ", "one space"),
        (dealt, "Jo=As", "written `Jo`"),
        (as_set, "Jo", "names the card"),
        (dealt, "1s", "`1s` is not a card"),
        (dealt, "sA", "`sA` is not a card"),
        (dealt, "As\tKs", "is not a card"),
        (as_set, "Jo=Jo", "is not a card"),
        (dealt, "A♠", "is not a card"),
    ],
)
def test_what_is_no_card_is_refused_with_what_to_write(read, text, says):
    with pytest.raises(CardError, match=says.replace("(", r"\(")):
        read(text)


def test_an_empty_text_is_a_hand_without_a_card():
    assert dealt("") == as_set("") == b""


@given(st.lists(st.sampled_from(sorted(SPELLING)), min_size=1))
def test_cards_are_written_back_as_they_were_read(cards):
    text = show(bytes(cards))
    read = as_set if max(cards) >= NAMED else dealt
    if read is as_set and JOKER in cards:
        return
    assert read(text) == bytes(cards)
