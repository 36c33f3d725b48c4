"""`manage.py ingest`: what it prints for other programs, and its exit status."""

from __future__ import annotations

import gzip
import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import clear_url_caches, get_resolver

from audits.intake.models import RoundLog
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.event_log.models import Leaf
from tests.audits.submission.logs import evening, played, sha256, written
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("own_database", "room")


@pytest.fixture
def room(own_database: str) -> None:
    party_for(Role.OPERATOR_CLERK, "room")
    party_for(Role.SUPPLIER, "maker")


@pytest.fixture
def ingest(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: object, operator: str = "room") -> tuple[int, list[Any], str]:
        status = 0
        try:
            call_command("ingest", "--operator", operator, "--json", *map(str, arguments))
        except SystemExit as ended:
            status = int(ended.code or 0)
        except CommandError as refused:
            return refused.returncode, [], str(refused)
        text = capsys.readouterr()
        return status, [json.loads(line) for line in text.out.splitlines()], text.err

    return run


def file(folder: Path, name: str, content: bytes) -> Path:
    place = folder / name
    place.write_bytes(content)
    return place


def test_a_clean_log_is_answered_with_its_receipt(ingest, tmp_path):
    content = gzip.compress(written(evening(4)))
    status, (answer,), _ = ingest(file(tmp_path, "night.jsonl.gz", content))
    with without_access_scope():
        log = RoundLog.objects.get()
    leaf = Leaf.objects.get(event__type="round_log.registered")
    assert status == 0
    assert answer == {
        "log": str(log.uuid),
        "sha256": sha256(content),
        "lines": 4,
        "good": 4,
        "rejected": 0,
        "already": 0,
        "at": answer["at"],
        "leaf": leaf.index,
        "records": 0,
        "mapping": None,
        "tables": [{"table": "T3", "game": "pyramid-poker", "rounds": 4}],
        "missing": [],
        "unknown_tables": [{"table": "T3", "game": "pyramid-poker", "rounds": 4}],
    }
    assert answer["at"].endswith(("-08:00", "-07:00"))


def test_no_page_is_imported_while_others_wait(ingest, tmp_path):
    clear_url_caches()
    known = []

    def look(execute, sql, *rest):
        if sql.startswith('INSERT INTO "audits_roundlog"'):
            known.append("url_patterns" in vars(get_resolver()))
        return execute(sql, *rest)

    with connection.execute_wrapper(look):
        ingest(file(tmp_path, "a", written(evening(1))))
    assert known == [True]


def test_rejected_lines_end_it_with_one(ingest, tmp_path):
    status, (answer,), _ = ingest(file(tmp_path, "a", written(evening(2)) + b"{}\n"))
    assert (status, answer["good"], answer["rejected"]) == (1, 2, 1)


def test_the_same_file_again_is_reported_and_changes_nothing(ingest, tmp_path):
    log = file(tmp_path, "a", written(evening(3)))
    _, (first,), _ = ingest(log)
    status, (again,), says = ingest(log)
    assert status == 0
    assert again == {**first, "good": 0, "already": 3}
    assert "is on file since" in says


def test_each_file_has_its_line_and_what_is_refused_is_named(ingest, tmp_path):
    good = file(tmp_path, "good", written(evening(2)))
    empty = file(tmp_path, "empty", b"")
    cut = file(tmp_path, "cut.gz", gzip.compress(written(evening(300)))[:500])
    status, answers, says = ingest(empty, good, cut)
    assert status == 1
    assert [answer["good"] for answer in answers] == [2]
    assert "empty: empty is empty" in says
    assert "cut.gz: " in says
    assert "cut off" in says


def test_a_correction_names_its_log_by_number_or_digest(ingest, tmp_path):
    wrong = file(tmp_path, "wrong", written(evening(2)))
    _, (first,), _ = ingest(wrong)
    once = file(tmp_path, "once", written([played("T3-000001", deck="blue")]))
    twice = file(tmp_path, "twice", written([played("T3-000001", deck="red")]))
    status, (answer,), _ = ingest("--corrects", first["log"], "--reason", "deck", once)
    assert (status, answer["good"], answer["rejected"]) == (0, 1, 0)
    status, (answer,), _ = ingest("--corrects", answer["sha256"], "--reason", "deck", twice)
    assert (status, answer["good"], answer["rejected"]) == (0, 1, 0)


@pytest.mark.parametrize(
    ("operator", "more", "says"),
    [
        ("nobody", [], "no party has this code"),
        ("maker", [], "deals no rounds"),
        ("room", ["--corrects", "0" * 64, "--reason", "a"], "has no log of this number"),
        ("room", ["--corrects", "0" * 64], "needs --reason"),
        ("room", ["--reason", "a"], "name that log by --corrects"),
        ("room", ["--sha256", "a" * 64], "did not arrive as it was sent"),
        ("room", ["--sha256", "a"], "is not a SHA-256"),
    ],
)
def test_unacceptable_call_exits_2_with_sentence(ingest, tmp_path, operator, more, says):
    log = file(tmp_path, "a", written(evening(1)))
    status, answers, text = ingest(*more, log, operator=operator)
    assert (status, answers) == (2, [])
    assert says in text
    with without_access_scope():
        assert not RoundLog.objects.exists()


def test_missing_file_is_named_before_ingestion(ingest, tmp_path):
    good = file(tmp_path, "good", written(evening(1)))
    status, answers, says = ingest(good, tmp_path / "nowhere")
    assert (status, answers) == (2, [])
    assert "nowhere cannot be read: No such file or directory" in says
    with without_access_scope():
        assert not RoundLog.objects.exists()


def test_strange_file_name_ends_in_no_traceback(ingest, tmp_path):
    name = os.fsdecode(b"night\xff\x1b[2J.jsonl")
    status, (answer,), _ = ingest(file(tmp_path, name, written(evening(1))))
    assert (status, answer["good"]) == (0, 1)
    with without_access_scope():
        assert RoundLog.objects.get().name == "night[2J.jsonl"
    _, _, says = ingest(file(tmp_path, name, b""))
    assert r"night\udcff\u001b[2J.jsonl: " in says
    status, _, says = ingest("--reason", "\udcff", file(tmp_path, "a", b""))
    assert (status, says) == (2, r"--reason \udcff: this is not valid UTF-8. Type it again.")
