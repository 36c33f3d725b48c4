"""The conformance suite in the documentation: each file gets the response that it requires."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings

from audits.replay.rehearsal.reads import rehearse
from compliance.access.permissions import Role
from compliance.errors import RefusedError
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from compliance.access.models import Party

SUITE = Path(settings.BASE_DIR) / "docs" / "conformance"
EXPECTED: dict[str, dict[str, Any]] = json.loads((SUITE / "expected.json").read_text())

pytestmark = pytest.mark.django_db


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_CLERK, "room")


def test_suite_names_every_file() -> None:
    files = {str(each.relative_to(SUITE)) for each in SUITE.glob("*/*")}
    assert files == EXPECTED.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_file_gets_its_required_response(name: str, room: Party) -> None:
    required = EXPECTED[name]
    with (SUITE / name).open("rb") as content:
        if "refused" in required:
            with pytest.raises(RefusedError) as refused:
                rehearse(party=room, name=name, content=content)
            assert required["refused"] in str(refused.value)
            return
        found = rehearse(party=room, name=name, content=content).result
    rejected = [{"line": each.line, "field": each.field} for each in found.examples]
    assert (found.lines, found.good) == (required["lines"], required["good"])
    assert (found.already, rejected) == (required.get("already", 0), required["rejected"])
