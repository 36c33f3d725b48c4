"""Recorded nights of three operators, from submitted logs to signed reports, via the services."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from django.core.management import call_command
from zstandard import ZstdCompressor

from audits.replay.verification import check_replays
from audits.review.derived import check_derived
from audits.review.nightly_run.verification import check_missing
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.event_log.verifier import Answer
from compliance.files.archive import current_archive, read_bytes
from compliance.filings.games.models import DocumentFinding
from compliance.verification.states import check_states
from games.checks import CODES
from reports.documents.registry import read_inputs
from reports.documents.sheets import body_of, sheet_of
from reports.rendering.blocks import Heading
from tests.frozen.facts import HERE, WRITES_FACTS, as_fact, renamed, require_unchanged, unpacked
from tests.frozen.walk import REVIEWED, Walk, printed, replays_left

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.plugin import DjangoDbBlocker

    from reports.documents.models import Report
    from tests.databases import Databases

INPUTS = HERE / "inputs"
AMOUNT = re.compile(r"−?\$[\d,]+\.\d\d")
FINDING = (
    *("operator", "day", "game", "table", "round", "seat", "wager"),
    *("code", "logged", "expected", "delta", "cites"),
)
ISSUE = (
    *("operator", "game", "title", "cause", "tables", "wagers", "lines", "rounds", "findings"),
    *("over", "under", "first", "last", "explained", "severity", "state"),
)
IN_EFFECT = (
    *(("cedar", "pyramid-poker", "T1", at) for at in ("2025-07-12T23:59", "2025-07-13T00:00")),
    ("cedar", "pick-2-poker", "T4", "2025-07-12T22:00"),
    ("cedar", "chinese-poker", "T6", "2025-07-12T22:00"),
    ("cedar", "showdown", "T7", "2025-07-12T19:00"),
    *(("harbor", "pyramid-poker", "H1", at) for at in ("2025-07-13T03:59", "2025-07-13T04:00")),
    ("harbor", "pick-2-poker", "H3", "2025-07-12T22:00"),
    ("twin-rivers", "pyramid-poker", "R1", "2025-07-12T22:00"),
    ("twin-rivers", "pick-2-poker", "R2", "2025-07-12T22:00"),
)


def test_kept_nights_keep_findings_money_and_events(
    databases: Databases, django_db_blocker: DjangoDbBlocker
) -> None:
    walk = Walk()
    with django_db_blocker.unblock(), databases.using(databases.copy()):
        walk.nights()
        assert replays_left() == 0
        facts = {
            "night-terms": list(terms()),
            "night-filings": list(filings()),
            "night-findings": rows(FINDING, "findings"),
            "night-issues": sorted(rows(ISSUE, "findings", issues=True)),
        }
        with clock.standing_at(REVIEWED):
            reports = [*walk.reports(), walk.review()]
        facts["night-money"] = [line for report in reports for line in money_of(report)]
        facts["night-events"] = walk.streams
        keep_inputs(reports)
        with without_access_scope():
            answer = Answer()
            for check in (check_states, check_replays, check_missing, check_derived):
                check(answer)
    assert answer.problems == []
    require_unchanged(facts)


def test_kept_inputs_of_reports_make_the_same_bodies() -> None:
    places = sorted(INPUTS.iterdir())
    bodies = [hashlib.sha256(body_of(read_inputs(unpacked(place))).content) for place in places]
    facts = [
        as_fact(place.name.partition(".")[0], body.hexdigest())
        for place, body in zip(places, bodies, strict=True)
    ]
    require_unchanged({"report-bodies": facts})


def test_logs_and_filings_kept_here_have_every_finding_code() -> None:
    kept = [HERE / "facts" / f"{name}.txt" for name in ("night-findings", "night-filings")]
    kept += (HERE / "facts").glob("settle-*.txt")
    found = {value for place in kept for value in _texts_of(renamed(place.read_text()))}
    # The recorded rooms are fair; `tests/audits/watch` has rooms that are not.
    fair = {code for code in CODES if code.startswith("watch.")}
    # In the recorded games nobody decides anything or pays a commission: see tests/games/families.
    of_filed_games = {
        "play.choice", "play.draw", "fee.commission", "fee.rake", "limit.raises",
    }  # fmt: skip
    # The recorded rooms report none of these: see tests/audits/test_shoes and table_records.
    of_records = {"night.cash", "night.fund", "night.shoe"}
    assert sorted(CODES - found - fair - of_filed_games - of_records) == []


def keep_inputs(reports: list[Report]) -> None:
    """Record once what reports were made from: bodies are compared for these inputs."""
    if WRITES_FACTS not in os.environ or INPUTS.exists():
        return
    INPUTS.mkdir()
    for report in reports:
        name = "-".join(filter(None, (report.kind, report.party and report.party.code)))
        content = read_bytes(current_archive(), report.inputs)
        (INPUTS / f"{name}.json.zst").write_bytes(ZstdCompressor(level=19).compress(content))


def _texts_of(facts: str) -> Iterator[str]:
    for fact in facts.splitlines():
        yield from (value for value in json.loads(fact) if isinstance(value, str))


def filings() -> Iterator[str]:
    """Yield the differences found between filed documents."""
    with without_access_scope():
        for each in DocumentFinding.objects.all():
            yield as_fact(each.code, each.says, each.cites)


def rows(names: tuple[str, ...], *command: str, **options: Any) -> list[str]:
    return [as_fact(*(row[name] for name in names)) for row in printed(*command, **options)]


def terms() -> Iterator[str]:
    """Yield the terms in effect of the recorded nights, without installation-specific parts."""
    for operator, game, table, at in IN_EFFECT:
        out = io.StringIO()
        call_command(
            "in_effect", operator=operator, game=game, table=table, at=f"{at}:00-07:00",
            json=True, stdout=out,
        )  # fmt: skip
        answer = json.loads(out.getvalue())
        kept = ("authorized", "reasons", "interpretations", "limits", "cap")
        for name in ("interpretations", "limits"):  # PostgreSQL doesn't keep the order of keys
            answer[name] = dict(sorted(answer[name].items()))
        yield as_fact(operator, game, table, at, {name: answer[name] for name in kept})


def money_of(report: Report) -> Iterator[str]:
    """Yield every amount that a report prints, by its sections."""
    sheet = sheet_of(read_inputs(read_bytes(current_archive(), report.inputs)))
    section, amounts = 0, []
    for block in (*sheet.blocks, Heading("")):
        if isinstance(block, Heading):
            if amounts:
                yield as_fact(report.kind, report.party and report.party.code, section, amounts)
            section, amounts = section + 1, []
        amounts += AMOUNT.findall(" | ".join(texts(block)))


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for each in fields(value):
            yield from texts(getattr(value, each.name))
    elif isinstance(value, tuple):
        for each in value:
            yield from texts(each)
