"""Pay tables are read from the text of documents, and compared line by line."""

from __future__ import annotations

from compliance.filings.definitions.comparison import find_printed_differences
from compliance.filings.definitions.printed import lines_as_written, printed_lines
from games.definition import read_definition
from games.rule_set import GAMES

FOLDER = GAMES / "three_card_poker"
TEXT = (FOLDER / "definition.toml").read_text("utf-8")
LAYOUT = """PAIR PLUS
Straight Flush\t40 to 1
Three of a Kind\t30 to 1
Straight\t5 to 1
Mini Royal\t50 to 1
Pair\t1 to 1
"""


def differences(layout: str) -> list[str]:
    return [each.says for each in find_printed_differences(read_definition(TEXT), "L", [layout])]


def test_table_is_read_in_each_way_of_printing() -> None:
    one_to = {"royal_flush": 500, "two_pairs": 2}
    assert lines_as_written(printed_lines("Royal Flush 500 to 1\nTwo Pair ..... 2:1")) == one_to
    # a DOCX table has one line for each cell
    assert lines_as_written(printed_lines("Royal Flush\n500 to 1\n2 Pairs\n2 to 1")) == one_to
    under_heading = "Hand Type\tPay (to 1)\nRoyal Flush\t500\nTwo Pair\t2"
    assert lines_as_written(printed_lines(under_heading)) == one_to
    # 3 for 1 includes the wager
    assert lines_as_written(printed_lines("Two Pair 3 for 1")) == {"two_pairs": 2}
    assert lines_as_written(printed_lines("Blackjack pays 3 to 2")) == {"blackjack": "3/2"}
    jacks = {"jacks_or_better": {"pays": 1, "hand": "pair", "from": "J"}}
    assert lines_as_written(printed_lines("Jacks or Better 1 to 1")) == jacks
    columns = "Flush 8 to 1 Flush 10 to 1\nStraight 6 to 1 Straight 4 to 1"
    assert lines_as_written(printed_lines(columns), 1) == {"flush": 10, "straight": 4}


def test_every_line_that_differs_is_named() -> None:
    where = "L, page 1: pair plus, standard, "
    assert differences(LAYOUT) == [
        f"{where}Straight is printed with 5 to 1; the definition pays 6 to 1.",
        f"{where}Mini Royal is printed with 50 to 1; the definition has no such line.",
        f"{where}flush is not printed; the definition pays 4 to 1.",
    ]


def test_layout_that_agrees_differs_in_nothing() -> None:
    agreeing = LAYOUT.replace("5 to 1", "6 to 1").replace("Mini Royal\t50", "Flush\t4")
    assert differences(agreeing) == []
