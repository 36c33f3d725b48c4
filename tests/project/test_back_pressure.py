"""Overload, or a part that is down: a sentence in the response, and work resumes later.

It uses real servers, made small: a PostgreSQL with few connections or a lock, a Redis without room.
"""

from __future__ import annotations

import io
import json
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
import pytest
from django.db import Error, connection
from django.test import Client
from django.urls import reverse
from redis import Redis

from audits.intake.ingestion import take_in_what_waits
from audits.intake.models import Submission
from audits.intake.submission import submit_whole
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from compliance.jobs.failures import RETRY_AFTER_SECONDS, is_transient, summarize_error
from compliance.jobs.models import Job
from compliance.jobs.work import MAX_FAULTS
from compliance.project.start import LOCK_SECONDS
from reports.documents.models import ReportOrder
from reports.documents.registry import About
from reports.schedules.orders import order_report
from tests import servers
from tests.audits.submission.logs import evening, sha256, written
from tests.compliance.api.programs import key_for
from tests.compliance.backup.test_refusals import full_disk
from tests.compliance.games.filing import approved, maker_and_officer
from tests.compliance.jobs.due import make_jobs_due
from tests.compliance.people import party_for, person_as, signed_in
from tests.installation import Installation, wait_until
from tests.project.test_serve import address
from tests.reports.working import make_next

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.plugin import DjangoDbBlocker

    from tests.databases import Databases

pytestmark = [pytest.mark.services, pytest.mark.usefixtures("kernels")]
NIGHT = written(evening(2))
MOST = 10
"""Connections that a small server accepts."""


def asked(
    url: str, *, method: str = "GET", body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], str]:
    """Return status, headers and text of a response, whatever it is."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, body, named, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, dict(refused.headers), refused.read().decode()


@contextmanager
def locked(url: str, table: str) -> Iterator[None]:
    """Lock a table for as long as the block lasts."""
    with psycopg.connect(url) as other:
        other.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


def test_exhausted_database_connections_get_503(
    databases: Databases, django_db_blocker: DjangoDbBlocker
) -> None:
    with ExitStack() as opened:
        server = opened.enter_context(servers.own_postgres(f"max_connections={MOST}"))
        opened.enter_context(django_db_blocker.unblock())
        opened.enter_context(databases.standing_on(server))
        probe, visitor = Client(), Client(raise_request_exception=False)
        visitor.cookies["sessionid"] = "a session that was begun before"
        assert probe.get("/readyz").json()["database"] == "ok"
        connection.close()
        with ExitStack() as others:
            for _ in range(MOST):
                others.enter_context(psycopg.connect(server.url))
            page = visitor.get("/")
            problem = visitor.get("/api/v1/findings", headers={"Authorization": "Bearer cg_x"})
            ready = probe.get("/readyz")
        assert (page.status_code, page["Retry-After"]) == (503, str(RETRY_AFTER_SECONDS))
        assert "The database does not answer in time" in page.text
        assert "Traceback" not in page.text
        assert (problem.status_code, problem["Retry-After"]) == (503, str(RETRY_AFTER_SECONDS))
        assert problem.json()["code"] == "busy"
        assert "with the same idempotency key" in problem.json()["detail"]
        assert (ready.status_code, ready.json()["database"]) == (503, "failing")
        assert probe.get("/readyz").json()["database"] == "ok"


def test_long_lock_wait_gets_503(
    installation: Installation,
) -> None:
    _, secret = key_for(Role.OPERATOR_MANAGER, "cedar")
    installation.start("serve", "--only", "web", WEB_THREADS="1")
    findings = f"{address(installation)}/api/v1/findings"
    key = {"Authorization": f"Bearer {secret}"}
    assert asked(findings, **key)[0] == 200
    began = time.monotonic()
    with locked(installation.configuration["DATABASE_URL"], "compliance_apikey"):
        status, headers, result = asked(findings, **key)
    assert (status, headers["Retry-After"], json.loads(result)["code"]) == (
        503,
        str(RETRY_AFTER_SECONDS),
        "busy",
    )
    assert time.monotonic() - began < 2 * LOCK_SECONDS
    assert asked(findings, **key)[0] == 200


def test_a_log_is_not_refused_because_the_database_was_slow(own_database: str) -> None:
    room = party_for(Role.OPERATOR_CLERK, "room")
    submit_whole(party=room, name="night.jsonl", content=io.BytesIO(NIGHT), by=SYSTEM)
    with without_access_scope():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
        with locked(own_database, "audits_segment"):
            take_in_what_waits()
        waits = Submission.objects.get()
        assert (waits.state, Job.objects.get().faults) == ("waiting", 0)
        assert waits.step == "The database did not answer in time; it will be retried"
        make_jobs_due()
        take_in_what_waits()
        assert Submission.objects.get().state == "registered"


def test_a_report_that_finds_no_room_waits_for_it(
    own_database: str, settings: Any, tmp_path: Path
) -> None:
    settings.ARCHIVE_URL = str(tmp_path / "archive")
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    about = About(subject=approval.uuid, party=party_for(Role.SUPPLIER, "maker"))
    for _ in range(MAX_FAULTS + 1):
        order = order_report(kind="approval_letter", about=about, by=SYSTEM)
        with full_disk(5_000):  # the archive's probe fits, a report doesn't
            assert make_next() is None
        order.refresh_from_db()
        assert order.state == "waiting"
        job = Job.objects.get(kind=ReportOrder.JOB)
        assert job.faults == 0
        assert "File too large" in job.failure
        make_jobs_due()
    made = make_next()
    assert made is not None
    assert (made.state, made.reason) == ("made", "")


@pytest.fixture
def small_broker() -> Iterator[str]:
    with servers.own_redis("--maxmemory", "1kb", "--maxmemory-policy", "noeviction") as url:
        yield url


def test_log_submitted_to_full_broker_is_read_later(
    own_database: str, small_broker: str, tmp_path: Path, kernels: None, client: Client
) -> None:
    del kernels
    _, secret = key_for(Role.OPERATOR_MANAGER, "birch")
    made = Installation(
        tmp_path, {"DATABASE_URL": own_database, "PORT": "0", "BROKER_URL": small_broker}
    )
    try:
        made.start("serve", "--only", "web")
        state = submit_log(f"{address(made)}/api/v1/submissions", "birch", secret)
        assert (state["state"], state["step"]) == (
            "waiting",
            "The workers cannot be told yet; it is read when they can",
        )
        with without_access_scope():
            place = Submission.objects.get()
        clerk = person_as(Role.OPERATOR_CLERK, "birch")
        page = signed_in(client, clerk).get(reverse("submission_run", args=[place.uuid])).text
        assert "The workers cannot be told yet" in page
        Redis.from_url(small_broker.replace("redis+socket", "unix")).config_set("maxmemory", 0)
        made.start("serve", "--only", "worker", "beat")
        with without_access_scope():
            wait_until(lambda: Submission.objects.get().state == "registered")
    finally:
        made.end()


def submit_log(root: str, operator: str, secret: str) -> dict[str, Any]:
    """Submit a night as a program; return what the API says about it afterward."""
    key = {"Authorization": f"Bearer {secret}"}

    def post(place: str, data: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        headers = {**key, "Content_Type": "application/json", "Idempotency_Key": str(uuid4())}
        status, _, result = asked(place, method="POST", body=json.dumps(data).encode(), **headers)
        return status, json.loads(result)

    about = {"operator": operator, "name": "night.jsonl", "size": len(NIGHT)}
    status, begun = post(root, about)
    assert status == 201, begun
    place = f"{root}/{begun['submission']}"
    piece = {"Content_Type": "application/octet-stream", "Piece_SHA256": sha256(NIGHT)}
    assert asked(f"{place}/pieces/0", method="PUT", body=NIGHT, **key, **piece)[0] == 200
    status, finished = post(f"{place}/finish", {})
    assert (status, finished["state"]) == (202, "waiting")
    result: dict[str, Any] = json.loads(asked(place, **key)[2])
    return result


def test_transient_database_errors_are_recognized(own_database: str) -> None:
    passing = (
        "SET LOCAL statement_timeout = 1; SELECT pg_sleep(1)",
        "SELECT pg_terminate_backend(pg_backend_pid())",
    )
    lasting = (
        "SELECT 1 / 0",
        "SELECT 'no number'::int",
        "SELECT nothing",
        "CREATE TEMP TABLE wide (text text PRIMARY KEY); INSERT INTO wide "
        "SELECT string_agg(md5(n::text), '') FROM generate_series(1, 1000) n",
        "INSERT INTO django_session VALUES ('a', 'secret', now()), ('a', 'secret', now())",
    )
    for statement in (*passing, *lasting):
        with pytest.raises(Error) as failed, connection.cursor() as cursor:
            cursor.execute(statement)
        assert is_transient(failed.value) == (statement in passing), statement
        assert "secret" not in summarize_error(failed.value)
        connection.close()
