"""Pay tables are read from the text of documents, and compared line by line."""

from __future__ import annotations

from compliance.filings.definitions.comparison import find_printed_differences
from compliance.filings.definitions.coverage import Mark, cover_document
from compliance.filings.definitions.printed import lines_as_written, printed_lines
from compliance.filings.definitions.sentences import sentences_of
from compliance.filings.documents.models import DocumentFile, DocumentText
from games.definition import read_definition
from games.rule_set import GAMES

FOLDER = GAMES / "three_card_poker"
TEXT = (FOLDER / "definition.toml").read_text("utf-8")
RULES = (FOLDER / "rules.txt").read_text("utf-8").strip()
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


def test_sentences_have_their_exact_place() -> None:
    found = sentences_of([RULES])
    assert all(" ".join(RULES[each.first : each.end].split()) == each.text for each in found)
    texts = [each.text for each in found if not each.is_heading]
    assert "The dealer plays with a queen high or better." in texts
    assert "1. Cards" not in texts


def test_sentence_is_checked_only_if_a_broken_round_proves_it() -> None:
    definition = read_definition(TEXT)
    digest = definition.sources["rules"].digest.removeprefix("sha256:")
    file = DocumentFile(sha256=digest, name="rules.txt")
    file.text = DocumentText(file=file, pages=[RULES])
    proofs = {"TC-5": {"settlement.ante": "ante was paid $5.00 instead of $0.00"}}
    document = cover_document(file, definition, proofs)
    checked = [each for each in document.sentences if each.mark == Mark.CHECKED]
    assert [each.sentence.text.split()[0] for each in checked] == ["The", "If"]
    assert document.count(Mark.OPEN) == len(document.sentences) - 2
    unlogged = TEXT.replace('id = "TC-7"', 'id = "TC-7"\nunlogged = "It is an order."')
    marked = cover_document(file, read_definition(unlogged), {})
    assert marked.count(Mark.UNLOGGED) == 2
