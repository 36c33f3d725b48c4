"""The steps of a settled hand name what decided, and its clauses."""

from games.families.stud.explain import explain_settled
from games.families.stud.hand import DealtHand
from games.families.stud.program import Terms, compile_program
from tests.games.families.filed_games import definition_of, line, read


def steps(slug, seat, terms=Terms(), **fields):  # noqa: B008 - frozen
    played = read(line(slug, [seat], **fields), slug)
    program = compile_program(definition_of(slug), terms)
    hand = DealtHand(
        program,
        played.seats[0].cards,
        played.house.cards,
        played.community,
        played.seats[0].choices,
    )
    settled = hand.settle(played.seats[0].wagers)
    return {
        key: [(each.says, each.cites) for each in found]
        for key, found in explain_settled(hand, settled).items()
    }


def test_explanation_names_what_decided():
    zero = {"ante": 0, "play": 0, "pair_plus": 0, "six_card": 0}
    seat = {
        "seat": 1,
        "cards": "6s 5d 4h",
        "choices": {"play": "raise"},
        "wagers": {**zero, "ante": 1000, "play": 1000, "pair_plus": 500},
        "result": zero,
    }
    found = steps("three-card-poker", seat, house={"cards": "Jh 9d 4c"})
    assert found["play"] == [
        ("dealer qualifies: no (high card, J-9-4).", ("TC-5",)),
        ("The wager is returned.", ("TC-5",)),
    ]
    assert found["pair_plus"] == [
        (
            "straight, 6 is paid by the line straight of the pay table standard: 6 to 1.",
            ("TC-9", "TC-9"),
        ),
        ("It wins $30.00.", ()),
    ]
    assert found["ante"][-1] == ("Ante bonus: It wins $10.00.", ())


def test_explanation_of_a_reading_and_an_equal_hand():
    zero = {"ante": 0, "play": 0, "pair_plus": 0, "six_card": 0}
    seat = {"seat": 1, "cards": "As 9c 4d", "choices": {"play": "raise"},
            "wagers": {**zero, "ante": 500, "play": 500}, "result": zero}  # fmt: skip
    found = steps("three-card-poker", seat, house={"cards": "Ah 9d 4c"})
    assert found["play"] == [
        ("The player's hand (high card, A-9-4) equals the dealer's (high card, A-9-4).",
         ("TC-6",)),
        ("TC-I1 is read so: Both wagers are returned.", ("TC-I1",)),
        ("The wager is returned.", ("TC-6",)),
    ]  # fmt: skip
