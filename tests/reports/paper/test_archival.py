"""What machines can decide of PDF/UA-1 (the Matterhorn Protocol 1.1) and PDF/A-3a, read by pypdf.

Each test names the checkpoints that it decides. No checkpoint for people (is the text right, is the
order sensible) is here: a person reads the sample reports for those. `make archival` asks veraPDF,
which needs Java.
"""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream, DictionaryObject, IndirectObject

from reports.rendering.blocks import (
    Board,
    Hand,
    Heading,
    Item,
    Items,
    Passage,
    Place,
    Points,
    Rows,
)
from reports.rendering.build import build
from reports.rendering.typography import current_faces
from tests.reports.paper.sheets import money_table, sheet
from tests.reports.paper.test_page_layout import EVERYTHING

LINKS = {"5f2a91c0": "/issues/5f2a91c0/", "r-1": "/rounds/r-1/"}
STANDARD = {
    *("Document", "Sect", "H1", "H2", "H3", "H4", "P", "L", "LI", "Lbl", "LBody", "Table", "TR"),
    *("TH", "TD", "Figure", "Link", "Span", "TOC", "TOCI"),
}
SHOWS_TEXT = {b"Tj", b"TJ", b"'", b'"'}
PAINTS = SHOWS_TEXT | {b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"S", b"s", b"Do", b"sh"}


@pytest.fixture(scope="module")
def content() -> bytes:
    blocks = (
        *EVERYTHING,
        Items((Item("T7 dealt Showdown.", "58 rounds.", "5f2a91c0"),), LINKS),
        Heading("Skips a level", 3),
        Passage(((("Criteria", "PP-28."), ("Cause", "A layout.")),), "Round", "r-1", LINKS),
        Board((Place("Dealer", "", (Hand("Cards", ("As", "Td")),), is_marked=True),)),
        Points(("One.", "Two.")),
        replace(money_table([(f"r-{n}", "Room", "ante", "$1.00", "$2.00") for n in range(90)]),
                links=LINKS),
        Rows("none", "Nothing", (), (), "Nothing."),
    )  # fmt: skip
    made = replace(
        sheet(*blocks, contents=True), site="https://site.example", data=b'{"rounds":61204}',
        marking="Confidential",
    )  # fmt: skip
    return build(made, current_faces()).content


@pytest.fixture(scope="module")
def reader(content) -> PdfReader:
    return PdfReader(BytesIO(content))


@pytest.fixture(scope="module")
def root(reader) -> DictionaryObject:
    return reader.trailer["/Root"]


def elements(node: Any) -> list[DictionaryObject]:
    """Return every structure element below a node, in order."""
    node = node.get_object()
    found = [node] if "/S" in node else []
    kids = node.get("/K", [])
    for kid in kids if isinstance(kids, list) else [kids]:
        if isinstance(kid, int):
            continue
        if "/S" in kid.get_object():
            found += elements(kid)
    return found


def tree(root) -> list[DictionaryObject]:
    return elements(root["/StructTreeRoot"]["/K"])


def tags(root) -> list[str]:
    return [each["/S"][1:] for each in tree(root)]


def metadata(reader: PdfReader) -> dict[str, str]:
    found = reader.xmp_metadata
    assert found is not None
    return {
        "part": found.pdfaid_part,
        "conformance": found.pdfaid_conformance,
        "/Title": found.dc_title["x-default"],
        "/Author": found.dc_creator[0],
        "/Subject": found.dc_description["x-default"],
        "/Keywords": found.pdf_keywords,
        "/Producer": found.pdf_producer,
        "/Creator": found.xmp_creator_tool,
        "created": found.xmp_create_date.isoformat(),
    }


def test_drawn_content_is_tagged_or_artifact(reader):
    for page in reader.pages:
        depth = 0
        for operands, operator in ContentStream(page.get_contents(), reader).operations:
            if operator in {b"BDC", b"BMC"}:
                assert depth == 0, "marked content is not nested"
                depth += 1
            elif operator == b"EMC":
                depth -= 1
            elif operator in PAINTS:
                assert depth == 1, (operands, operator)
        assert depth == 0


def test_02_all_tags_are_standard(root):
    assert {*tags(root)} <= STANDARD
    assert "/RoleMap" not in root["/StructTreeRoot"]


def test_05_06_07_11_metadata_title_and_language(reader, root):
    found = metadata(reader)
    assert (found["part"], found["conformance"]) == ("3", "A")
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_data()
    assert root["/Metadata"]["/Type"] == "/Metadata"
    assert "/Filter" not in root["/Metadata"]  # PDF/A: readable without a PDF reader
    assert found["/Title"] == "Nightly audit"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"].value is True
    assert root["/Lang"] == "en-US"
    assert root["/MarkInfo"]["/Marked"].value is True
    assert "/Suspects" not in root["/MarkInfo"]


def test_09_parents_and_marks_agree(reader, root):
    parents = root["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    by_key = dict(zip(parents[::2], parents[1::2], strict=True))
    assert list(by_key) == sorted(by_key)
    for number, page in enumerate(reader.pages):
        marks = [
            operands[1]["/MCID"]
            for operands, operator in ContentStream(page.get_contents(), reader).operations
            if operator == b"BDC"
        ]
        assert page["/StructParents"] == number
        assert sorted(marks) == list(range(len(by_key[number].get_object())))


def test_13_figures_have_alternative_texts(root):
    figures = [each for each in tree(root) if each["/S"] == "/Figure"]
    assert len(figures) == 2
    assert all(each["/Alt"].strip() for each in figures)


def test_14_headings_begin_with_the_first_and_skip_none(root):
    levels = [int(tag[1]) for tag in tags(root) if re.fullmatch(r"H\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_tables_are_regular_with_scoped_headers(root):
    tables = [each for each in tree(root) if each["/S"] == "/Table"]
    assert tables
    for table in tables:
        rows = [each for each in elements(table) if each["/S"] == "/TR"]
        cells = [[kid.get_object() for kid in _listed(row["/K"])] for row in rows]
        assert len({len(each) for each in cells}) == 1
        for cell in (cell for row in cells for cell in row):
            assert cell["/S"] in {"/TH", "/TD"}
            if cell["/S"] == "/TH":
                assert cell["/A"]["/Scope"] in {"/Column", "/Row"}


def _listed(kids: Any) -> list[Any]:
    return kids if isinstance(kids, list) else [kids]


def test_16_lists_contain_items_only(root):
    for each in tree(root):
        kids = {kid["/S"] for kid in elements(each)[1:] if kid["/P"].get_object() == each}
        if each["/S"] == "/L":
            assert kids == {"/LI"}
        if each["/S"] == "/LI":
            assert kids <= {"/Lbl", "/LBody"}


def test_21_attached_file_is_named_and_associated(root):
    name, specification = root["/Names"]["/EmbeddedFiles"]["/Names"]
    found = specification.get_object()
    assert name == found["/F"] == found["/UF"] == "data.json"
    assert found["/AFRelationship"] == "/Source"
    assert [each.get_object() for each in root["/AF"]] == [found]
    assert found["/EF"]["/F"]["/Subtype"] == "/application/json"
    assert found["/EF"]["/F"].get_data() == b'{"rounds":61204}'


def test_25_26_nothing_is_dynamic_or_encrypted(reader, root):
    assert "/Encrypt" not in reader.trailer
    assert len(reader.trailer["/ID"]) == 2
    for name in ("/AcroForm", "/OpenAction", "/AA", "/JavaScript"):
        assert name not in root


def test_28_links_are_in_the_tree_and_say_where_they_lead(reader, root):
    parents = root["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    by_key = dict(zip(parents[::2], parents[1::2], strict=True))
    links = [
        (page, each.get_object())
        for page in reader.pages
        for each in page.get("/Annots", [])
    ]  # fmt: skip
    addresses = {link["/A"]["/URI"] for _, link in links if "/A" in link}
    assert addresses == {f"https://site.example{path}" for path in LINKS.values()}
    for page, link in links:
        assert page["/Tabs"] == "/S"
        assert link["/Contents"].strip()
        assert link["/F"] == 4  # printed, not hidden
        element = by_key[link["/StructParent"]].get_object()
        assert element["/S"] == "/Link"
        kids = (kid.get_object() for kid in element["/K"] if not isinstance(kid, int))
        kinds = [kid.get("/Type") for kid in kids]
        assert "/OBJR" in kinds


def test_31_fonts_are_embedded_and_mapped_to_unicode(reader):
    fonts: dict[int, DictionaryObject] = {}
    for page in reader.pages:
        for name, each in page["/Resources"]["/Font"].items():
            assert isinstance(each, IndirectObject), name
            fonts[each.idnum] = each.get_object()
    assert fonts
    for font in fonts.values():
        assert font["/Subtype"] == "/TrueType", font["/BaseFont"]
        descriptor = font["/FontDescriptor"]
        assert "/FontFile2" in descriptor
        assert "/ToUnicode" in font
        widths = font["/LastChar"] - font["/FirstChar"] + 1
        assert len(font["/Widths"]) == widths
        symbolic = bool(descriptor["/Flags"] & 4)
        assert symbolic != ("/Encoding" in font)


def test_pdf_a_information_agrees_with_metadata(reader):
    found, info = metadata(reader), reader.metadata
    assert info is not None
    assert info.creation_date is not None
    names = ("/Title", "/Author", "/Subject", "/Keywords", "/Producer", "/Creator")
    assert {name: found[name] for name in names} == {name: info[name] for name in names}
    assert found["created"] == "2026-11-18T12:30:00"
    assert info.creation_date.isoformat() == "2026-11-18T12:30:00+00:00"


def test_pdf_a_stream_data_ends_before_a_line_end(content):
    streams = list(re.finditer(rb"/Length (\d+)\b.*?>>\s*stream\n", content, re.DOTALL))
    assert len(streams) == content.count(b"endstream")
    for each in streams:
        end = each.end() + int(each[1])
        assert content[end:].startswith(b"\nendstream")


def test_pdf_a_colors_have_a_profile(root):
    (intent,) = root["/OutputIntents"]
    assert intent["/S"] == "/GTS_PDFA1"
    profile = intent["/DestOutputProfile"].get_object()
    content = profile.get_data()
    assert profile["/N"] == 3
    assert int.from_bytes(content[:4], "big") == len(content)
    assert content[36:40] == b"acsp"
    assert content[12:24] == b"mntrRGB XYZ "
