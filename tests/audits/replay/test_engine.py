"""The engine's identity covers what decides, and a changed part of it is named."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from audits.replay import engine, units
from audits.replay.writes import Scope, begin_replay
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.event_log.verifier import Answer
from compliance.events.actor import SYSTEM
from compliance.verification import software
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import NIGHT, dealt, on_file
from tests.audits.replay.working import work
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the law, and let the copy be all of the engine."""
    law = tmp_path / "compliance" / "law"
    shutil.copytree(engine.ROOT / "compliance" / "law", law)
    monkeypatch.setattr(engine, "ROOT", tmp_path)
    monkeypatch.setattr(engine, "PLACES", (law,))
    return tmp_path


def version() -> str:
    return engine.engine_version.__wrapped__()


def test_engine_covers_law_terms_and_checks() -> None:
    files = software.digests_of_files(engine.PLACES, engine.ROOT)
    assert {"audits/replay/terms.py", "games/checks/__init__.py"} <= files.keys()
    assert any(each.startswith("compliance/law/") and each.endswith(".toml") for each in files)


@pytest.mark.django_db
def test_changed_law_file_is_named_until_recorded(root: Path) -> None:
    assert engine.record_engine(by=SYSTEM)
    assert engine.record_engine(by=SYSTEM) is None
    before = version()
    file = min((root / "compliance" / "law").glob("*.toml"))
    file.write_text(file.read_text() + "# a limit of another day\n")
    answer = Answer()
    engine.check_engine(answer)
    assert [each["where"] for each in answer.problems] == [f"compliance/law/{file.name}"]
    assert version() != before
    event = engine.record_engine(by=SYSTEM)
    assert event is not None
    assert event.payload["changed"] == [f"compliance/law/{file.name}"]


@pytest.mark.django_db
def test_poisoned_bytecode_changes_the_engine(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = version()
    poisoned = root / "compliance" / "law" / "gambling_day.py"
    monkeypatch.setattr(engine, "foreign_code", lambda _: {poisoned: "0" * 64})
    assert version() != before


@pytest.mark.django_db
def test_worker_with_another_engine_judges_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    commission()
    with without_access_scope():
        operator = party_for(Role.OPERATOR_CLERK, "cedar")
        on_file(operator, dealt(5))
        replay = begin_replay(operator=operator, scope=Scope(day=NIGHT), by=None)
        monkeypatch.setattr(units, "engine_version", lambda: "0" * 64)
        while work(of=replay):
            pass
        replay.refresh_from_db()
    assert replay.state == "failed"
    assert "Begin another replay of the same days" in replay.failure
    assert replay.digest == ""
