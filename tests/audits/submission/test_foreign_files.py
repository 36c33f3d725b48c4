"""A file of another kind is named for what it is, and nothing of it is registered."""

from __future__ import annotations

import gzip
import io
import json
import zipfile

import pytest
import xlsxwriter

from audits.intake.models import RoundLog, Submission
from audits.intake.recognition import ForeignFileError, recognize, refuse_foreign
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from tests.audits.submission.logs import evening, ingested, written
from tests.compliance.people import party_for


def workbook() -> bytes:
    place = io.BytesIO()
    with xlsxwriter.Workbook(place) as book:
        book.add_worksheet().write_row(0, 0, ["Round", "Table"])
    return place.getvalue()


def packed(content: bytes) -> bytes:
    place = io.BytesIO()
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("night.jsonl", content)
    return place.getvalue()


LOG = written(evening(2))
FOREIGN = {
    "an Excel workbook": workbook(),
    "a ZIP archive": packed(LOG),
    "a PDF document": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    "a picture (PNG)": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a picture (JPEG)": b"\xff\xd8\xff\xe0\0\x10JFIF\0",
    "a file of an old version of Excel or Word": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99),
    "a table with 3 columns (CSV)": b"Round;Table;Bet\n1;T3;25,00\n",
    "a JSON list": json.dumps(evening(2)).encode(),
    "JSON spread over several lines": json.dumps(evening(1)[0], indent=2).encode(),
    "XML": b'<?xml version="1.0"?><rounds/>',
    "binary data": bytes(range(1, 9)) + bytes(90),
}


@pytest.mark.django_db
@pytest.mark.parametrize("what", FOREIGN)
def test_foreign_file_is_named_and_not_registered(what):
    room = party_for(Role.OPERATOR_CLERK, "room")
    with pytest.raises(RefusedError) as refused:
        ingested(room, FOREIGN[what], name="night.dat")
    assert str(refused.value).startswith(f"night.dat is {what}, not a round log. ")
    with without_access_scope():
        assert not RoundLog.objects.exists()
        assert Submission.objects.get().state == Submission.State.REFUSED


@pytest.mark.django_db
def test_utf_16_log_is_refused_by_its_encoding():
    room = party_for(Role.OPERATOR_CLERK, "room")
    with pytest.raises(RefusedError, match="UTF-16"):
        ingested(room, LOG.decode().encode("utf-16"))


@pytest.mark.parametrize("mark", [b"PK\3\4", b"%PDF-1.7\n", b"\0\0", b"[", b"Round;Table\n"])
def test_foreign_beginning_of_a_log_is_left_to_the_reader(mark):
    assert recognize(mark + LOG) is None


def test_packed_table_is_recognized_inside():
    with pytest.raises(ForeignFileError, match=r"a table with 2 columns \(CSV\)"):
        refuse_foreign(io.BytesIO(gzip.compress(b"Round,Table\n1,T3\n")), "night.csv.gz")
