"""Report PDFs: the same bytes each time, nothing past the edge, tags for screen readers."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from io import BytesIO

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from games.cards import SPELLING
from games.explanation.words import card_in_words
from reports.rendering.blocks import (
    Align,
    Callout,
    Change,
    Changed,
    Column,
    Facts,
    Hand,
    Heading,
    Mood,
    Points,
    Rows,
    Words,
)
from reports.rendering.build import build
from reports.rendering.typography import MARGIN, PAGE_WIDTH, current_faces, lines_of, width_of
from tests.reports.paper.sheets import LONG_NAME, MADE, money_table, sheet, text_of

HAND = ("As", "Td", "9h", "2c", "Jo", "Jo=Kd")
EVERYTHING = (
    Callout("Two issues need action", "Settle them again.", Mood.SERIOUS),
    Heading("What was found"),
    Words("A straight flush was paid 50, not 30 & not <40>."),
    Facts((("Operator", LONG_NAME), ("Rounds", "61,204"))),
    Heading("Examples", 2),
    Hand("Dealer's hand as set", HAND),
    Points(("First.", "Second."), numbered=True),
    Changed(((Change.SAME, "Stays."), (Change.ADDED, "Came."), (Change.REMOVED, "Went."))),
    money_table([("r-1", LONG_NAME, "ante", "$9,999,999.99", "$1.00")]),
)


def built(*blocks, **options) -> bytes:
    return build(sheet(*blocks, **options), current_faces()).content


def inks_of(content: bytes) -> list[tuple[float, float]]:
    """Return the left and right edges of all characters of each page, as pdfium places them."""
    edges = []
    for page in pypdfium2.PdfDocument(content):
        text = page.get_textpage()
        boxes = [text.get_charbox(n) for n in range(text.count_chars())]
        wide = [box for box in boxes if box[2] > box[0]]
        edges.append((min(box[0] for box in wide), max(box[2] for box in wide)))
    return edges


def test_same_sheet_gives_same_bytes():
    program = (
        "import django, hashlib; django.setup();"
        "from tests.reports.paper import test_page_layout as t;"
        "print(hashlib.sha256(t.built(*t.EVERYTHING, contents=True)).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True,
            env={"DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONHASHSEED": seed, "TZ": zone},
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "America/Los_Angeles"))
    }  # fmt: skip
    assert len(digests) == 1


def test_another_word_is_another_body():
    assert built(Words("30")) != built(Words("31"))


def test_a_report_says_what_it_is_and_when_it_was_made():
    reader = PdfReader(BytesIO(built(*EVERYTHING)))
    assert reader.metadata is not None
    assert reader.metadata.title == "Nightly audit"
    assert reader.metadata.author == "Gambling Commission"
    assert reader.metadata.creation_date == MADE
    root = reader.trailer["/Root"]
    assert root["/Lang"] == "en-US"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]


def test_each_page_has_number_reference_and_banner():
    content = built(money_table([(f"r-{n}", "Cedar", "ante", "$1", "$2") for n in range(200)]))
    pages = text_of(content)
    assert len(pages) > 2
    for number, text in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)}" in text
        assert "NA-cedar-1" in text
        assert "DEMONSTRATION" in text
        assert "Round" in text  # each page has the table's header


def test_a_report_under_real_keys_does_not_say_demonstration():
    assert "DEMONSTRATION" not in "".join(text_of(built(Words("x"), demonstration=False)))


def test_the_contents_name_the_pages_on_which_headings_stand():
    filler = tuple(Words("A night like others. " * 60) for _ in range(12))
    content = built(Heading("Early"), *filler, Heading("Late"), Words("x"), contents=True)
    reader = PdfReader(BytesIO(content))
    outline = {each.title: reader.get_destination_page_number(each) + 1 for each in reader.outline}
    assert outline["Early"] == 1
    assert outline["Late"] > 2
    first = text_of(content)[0]
    assert re.search(rf"Late\s*{outline['Late']}\b", first)


def test_attached_data_is_readable_by_another_program():
    text = re.sub(r"\s+", " ", " ".join(text_of(built(*EVERYTHING))))
    for wanted in (
        "A straight flush was paid 50, not 30 & not <40>.", "$9,999,999.99", "61,204",
        "Two issues need action", "Came.", "Added", "Removed", "1. First.",
    ):  # fmt: skip
        assert wanted in text


def test_missing_glyph_is_shown_by_its_code_point():
    lost, there = "\N{GAME DIE}\N{HEBREW LETTER SHIN}", "$5.00 − é …"
    row = (lost, lost, lost, "$1.00", "$1.00")
    blocks = (
        Heading(lost), Words(f"{lost} {there}"), Callout(lost, lost), Facts(((lost, lost),)),
        Points((lost,)), money_table([row]), Changed(((Change.ADDED, lost),)),
    )  # fmt: skip
    text = re.sub(r"\s+", "", " ".join(text_of(built(*blocks))))
    # heading, words, two of the callout, two of the facts, a point, three cells, what was added
    assert text.count("[U+1F3B2][U+05E9]") == 11
    assert there.replace(" ", "") in text


@pytest.mark.parametrize("name", [LONG_NAME, "W" * 120, "W" * 118 + " W"])
def test_long_names_and_numbers_stay_on_the_page(name):
    assert len(name) <= 120
    row = (name, name, name, "$9,999,999.99", "−$9,999,999.99")
    title = replace(sheet(), title=name, agency=name, addressed=(name,))
    blocks = (
        Heading(name), Heading(name, 3), Callout(name, name), Facts(((name, name),)),
        Hand(name, HAND), Points((name,)), Words(name), money_table([row] * 40),
        Changed(((Change.ADDED, name),)),
    )  # fmt: skip
    for contents in (False, True):
        made = build(replace(title, blocks=blocks, contents=contents), current_faces())
        for left, right in inks_of(made.content):
            assert left >= MARGIN - 1
            assert right <= PAGE_WIDTH - MARGIN + 1


def test_amounts_are_never_cut_into_two_lines():
    rows = [(LONG_NAME, LONG_NAME, LONG_NAME, "$9,999,999.99", "$8,888,888.88")] * 3
    text = "".join(text_of(built(money_table(rows))))
    assert text.count("$9,999,999.99") == text.count("$8,888,888.88") == 3


def test_no_row_stands_alone_on_the_last_page_of_its_table():
    for rows in range(36, 52):
        table = Rows("t", "T", (Column("A"),), tuple((f"row-{n}.",) for n in range(rows)))
        last = text_of(built(table))[-1]
        assert f"row-{rows - 1}." not in last or f"row-{rows - 2}." in last, rows


def test_a_word_is_not_cut_where_another_column_has_room():
    long = "one two three four five six seven " * 3
    row = ("settlement.three_card: paid", *(long,) * 4, "$9,999,999.99")
    columns = (*map(Column, "ABCDE"), Column("F", Align.NUMBERS))
    text = "".join(text_of(built(Rows("t", "T", columns, (row,) * 3))))
    assert text.count("settlement.three_card:") == 3


def test_a_digest_is_cut_into_lines_of_one_length():
    digest = "0123456789abcdef" * 4
    row = ("Words that want their room, so that the digest is cut. " * 2,) * 4
    columns = (*map(Column, "ABCD"), Column("SHA-256", Align.CODES))
    lines = "\n".join(text_of(built(Rows("t", "T", columns, ((*row, digest),))))).split()
    pieces = [len(each) for each in lines if set(each) <= set(digest) and len(each) > 4]
    assert sum(pieces) == 64
    assert len(pieces) > 1
    assert len(set(pieces)) == 1


def test_a_date_in_a_title_is_not_cut():
    for words in range(1, 12):
        title = "long " * words + "July 12, 2025"
        made = build(replace(sheet(), title=title), current_faces())
        text = pypdfium2.PdfDocument(made.content)[0].get_textpage().get_text_range()
        plain = text.replace("\N{NO-BREAK SPACE}", " ")
        lines = [each for each in plain.splitlines() if "July" in each]
        assert lines
        assert all(each.endswith("July 12, 2025") for each in lines), lines


def test_a_cell_longer_than_a_page_goes_on_on_the_next():
    words = " ".join(f"word{n}" for n in range(4000))
    text = " ".join(text_of(built(Rows("t", "T", (Column("A"), Column("B")), (("x", words),)))))
    assert set(words.split()) <= set(text.split())


@given(st.text(max_size=200), st.floats(20, 400))
@settings(max_examples=150, deadline=None)
def test_lines_fit_and_lose_no_character_that_is_no_space(text, width):
    face = current_faces().text
    lines = lines_of(text, face, 9, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(width_of(line, face, 9) <= width or len(line) == 1 for line in lines)


def elements(content: bytes) -> list[tuple[str, str]]:
    """Return the tags of the structure tree in reading order, with their alternative texts."""
    root = PdfReader(BytesIO(content)).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    found, ahead = [], [root["/StructTreeRoot"]["/K"].get_object()]
    while ahead:
        each = ahead.pop()
        found.append((each["/S"], each.get("/Alt", "")))
        kids = each.get("/K", [])
        kids = kids if isinstance(kids, list) else [kids]
        below = [kid.get_object() for kid in kids if not isinstance(kid, int)]
        ahead.extend(kid for kid in reversed(below) if "/S" in kid)
    return found


def test_every_part_is_tagged_as_what_it_is_in_reading_order():
    tags = [tag for tag, _ in elements(built(*EVERYTHING))]
    order = ["/H1", "/Sect", "/H2", "/Table", "/H3", "/Figure", "/L", "/Table"]
    places = iter(tags)
    assert all(wanted in places for wanted in order)
    assert tags.count("/L") == 1
    assert tags.count("/LBody") == 2
    assert tags.count("/TH") >= 5


def test_cards_have_alternative_text():
    data = [alternative for tag, alternative in elements(built(*EVERYTHING)) if tag == "/Figure"]
    assert data == [
        "Dealer's hand as set: ace of spades, ten of diamonds, nine of hearts, two of clubs, "
        "joker, joker as king of diamonds",
    ]


def test_table_over_many_pages_repeats_its_header():
    rows = [(f"r-{n}", "Cedar", "ante", "$1", "$2") for n in range(150)]
    tags = [tag for tag, _ in elements(built(money_table(rows)))]
    assert tags.count("/Table") == 1
    assert tags.count("/TH") == 5
    assert tags.count("/TR") == 151
    assert tags.count("/TD") == 750


def test_all_page_content_is_tagged():
    reader = PdfReader(BytesIO(built(*EVERYTHING, contents=True)))
    parents = reader.trailer["/Root"]["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    for number, page in enumerate(reader.pages):
        assert page["/StructParents"] == number
        stream = page.get_contents().get_data().decode("latin-1")
        marks = [int(each) for each in re.findall(r"/MCID (\d+)", stream)]
        assert marks == list(range(len(parents[2 * number + 1])))
        depth = 0
        for line in stream.splitlines():
            depth += line.count("BDC") + line.count("BMC") - len(re.findall(r"\bEMC\b", line))
            assert depth in {0, 1}
            if re.search(r"\b(Tj|TJ|re|f|S|Do)$", line.strip()):
                assert depth == 1, line


@pytest.mark.parametrize("card", sorted(SPELLING.values()))
def test_every_card_has_its_words_and_its_picture(card):
    assert re.fullmatch(
        r"joker|(joker as )?\w+ of (clubs|diamonds|hearts|spades)", card_in_words(card)
    )
    assert len(built(Hand("x", (card,)))) > 1000


def test_each_card_has_its_own_alternative_text():
    words = [card_in_words(card) for card in SPELLING.values()]
    assert len(set(words)) == len(words) == 52 + 1 + 52
