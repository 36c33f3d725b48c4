"""A count room's export becomes the cash of tables: a guess, then records of whole days."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

from audits.intake.mapping.definition import read_definition
from audits.intake.mapping.errors import MappingError
from audits.intake.mapping.guess import guess_layout, guess_mapping
from audits.intake.mapping.tables import read_table
from audits.intake.mapping.writes import save_mapping
from audits.intake.table_records.models import TableRecord
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from tests.audits.submission.logs import ingested
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db
# The clock went back on November 2: this gambling day has 25 hours.
REPORT = """Cascade Count Room,,,,,,
Gaming Date,Table,Opening Inventory,Fills,Credits,Closing Inventory,Drop
11/1/2025,Table 3,"$12,500.00","$3,000.00",,"$14,025.00","$6,110.00"
11/1/2025,Table 4,"$9,000.00",,,"$9,000.00",n/a
"""


def test_count_room_export_becomes_cash_of_gambling_days(tmp_path: Path) -> None:
    path = tmp_path / "count.csv"
    path.write_text(REPORT)
    layout = guess_layout(path)
    guessed = guess_mapping("count", layout, list(read_table(path, layout, tmp_path)))
    assert (guessed["rows"], layout.header) == ("cash", 2)
    room = party_for(Role.OPERATOR_CLERK, "room")
    content = {**guessed, "tables": {"Table 3": "T3", "Table 4": "T4"}}
    saved = save_mapping(party=room, content=content, by=SYSTEM)
    log = ingested(room, REPORT.encode(), name="count.csv", mapping=saved)
    with without_access_scope():
        (row,) = TableRecord.objects.all()
        (cause,) = log.rejected_causes.all()
    assert (row.table, str(row.day), row.win) == ("T3", "2025-11-01", 4635_00)
    assert (row.begins.isoformat(), row.ends.isoformat()) == (
        "2025-11-01T13:00:00+00:00",
        "2025-11-02T14:00:00+00:00",
    )
    assert cause.examples[0]["reason"].startswith('row 4: "n/a" is not an amount')


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        (("table", "day", "opener", "closer"), "`drop`"),
        (("table", "from", "opener", "closer", "drop"), "Say what fills `from` and `to`"),
        (("table", "day", "opener", "closer", "drop", "round"), "has no `round`"),
    ],
)
def test_mapping_of_cash_that_lacks_something_says_what(fields: tuple[str, ...], says: str) -> None:
    given = {
        "name": "count",
        "layout": {"kind": "csv"},
        "rows": "cash",
        "fields": {each: {"columns": [each]} for each in fields},
    }
    with pytest.raises(MappingError, match=says):
        read_definition(given)


def test_reading_a_table_leaves_other_readers_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("a,b\n1," + "x" * 10 + "\n")
    before = csv.field_size_limit()
    assert list(read_table(path, guess_layout(path), tmp_path))
    assert csv.field_size_limit() == before
    with pytest.raises(csv.Error):
        list(csv.reader(io.StringIO("x" * (before + 1))))
