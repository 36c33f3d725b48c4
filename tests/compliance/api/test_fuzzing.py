"""Schemathesis with all of its checks: as an operator, as the commission, on what is on file.

It calls the application within its own process, on a database of the test's own: a server would
cost a process and sockets for some ten thousand requests, and show nothing more.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import timedelta
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.db.backends.signals import connection_created
from django.test import override_settings
from django.urls import get_resolver
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import from_schema
from schemathesis.engine.events import FatalError, NonFatalError, ScenarioFinished
from schemathesis.python import wsgi
from werkzeug.test import Client

from audits.replay.comparisons import begin_comparison
from audits.replay.findings.models import Issue
from audits.review.issues.decisions import StepRequest, take_step
from audits.review.releases.writes import release_issue
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.api.once import HEADER, PATTERN
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.compliance.api.addresses import OPENED
from tests.compliance.api.programs import key_for, maker_of
from tests.compliance.filings import NO_FILINGS, filings_of
from tests.compliance.people import made_person, party_for
from tests.reports.nights import closed, replayed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.db.backends.base.base import BaseDatabaseWrapper

    from compliance.access.models import Party

CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
THERE = '[[operations]]\ninclude-path = "{path}"\nparameters = {{ {names} }}\n'


@schemathesis.hook
def before_call(ctx: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Set a new idempotency key where a usable one was generated.

    Short keys are generated repeatedly, and another request under a used one is refused, as it must
    be: `test_idempotency_key_with_other_request_is_rejected`.
    """
    given = (case.headers or {}).get(HEADER)
    if isinstance(given, str) and re.fullmatch(PATTERN, given):
        case.headers[HEADER] = str(uuid4())


def there_is(party: Party) -> dict[str, Any]:
    """Create one of each object that an address names, and a night with findings and questions."""
    agent = made_person("agent-of-the-night", commission(), Role.AGENT)
    manager = maker_of(Role.OPERATOR_MANAGER, party.code)
    with without_access_scope():
        on_file(party, spoiled(dealt(12), every=4, cents=-100))
    former, later = replayed(party), replayed(party)
    closed(party)
    compared = begin_comparison(former=former, later=later, by=None)
    with without_access_scope():
        found = list(Issue.objects.filter(party=party, code="settlement.main"))
    for issue in found:
        release_issue(issue=issue, by=agent)
    asked = found[0]
    data = StepRequest(step="ask", reason="How was it paid?", until=clock.today() + timedelta(7))
    take_step(issue=asked, said=data, by=agent)
    of_the_night = {
        "party": party.code,
        "replay": later.uuid,
        "comparison": compared.uuid,
        "issue": asked.uuid,
        "gambling_day": NIGHT,
    }
    others = [name for name in NO_FILINGS if name not in of_the_night]
    return filings_of(party, manager, others) | of_the_night


def parameters_of(things: Mapping[str, Any]) -> str:
    """Return path parameters that are mostly numbers of existing objects."""
    answer = []
    for name, row in OPENED.items():
        ((path, names),) = get_resolver().reverse_dict.getlist(name)[0][0]
        if not names:
            continue
        path = "/" + re.sub(r"%\((\w+)\)s", r"{\1}", path)
        given = ", ".join(
            f'"path.{each}" = {{ dictionary = "{of}", probability = 0.7 }}'
            for each, of in zip(names, row.of, strict=True)
        )
        answer.append(THERE.format(path=path, names=given))
    values = (f"{name} = {{ values = {json.dumps([_plain(it)])} }}" for name, it in things.items())
    return "\n".join(["[dictionaries]", *values, "", *answer])


def _plain(value: Any) -> Any:
    return value if isinstance(value, int) else str(value)


def asked_as(method: str, path: str) -> Role:
    """Return the request's role: the commission reads and has rounds audited, else an operator."""
    reads = method.upper() == "GET" and "/controls/draft" not in path
    return Role.SUPERVISOR if reads or "/replays" in path else Role.OPERATOR_MANAGER


def faults(role: Role, examples: int, seconds: int = 0) -> Iterator[str]:
    """Yield what Schemathesis finds with a key of this role: each fault with its request."""
    party = party_for(Role.OPERATOR_MANAGER, "cedar")
    _, secret = key_for(role, "cedar" if role == Role.OPERATOR_MANAGER else None)
    filled = Template(CONFIGURATION.read_text()).substitute(
        KEY=secret,
        EXAMPLES=examples,
        DETERMINISTIC="false" if seconds else "true",
        THERE=parameters_of(there_is(party)),
    )
    configuration = SchemathesisConfig.from_str(filled)
    if seconds:
        configuration.update(max_failures=None, max_time=seconds)
    schema = schemathesis.openapi.from_wsgi(
        "/api/v1/openapi.json", get_wsgi_application(), config=configuration
    )
    theirs = schema.include(lambda it: asked_as(it.operation.method, it.operation.path) == role)
    for event in from_schema(schema if seconds else theirs).execute():
        if isinstance(event, FatalError):
            raise event.exception
        if isinstance(event, NonFatalError):
            raise event.value
        if isinstance(event, ScenarioFinished):
            for checks in event.recorder.checks.values():
                for failure in (each.failure_info for each in checks if each.failure_info):
                    yield "\n".join(
                        (event.recorder.label, str(failure.failure), failure.code_sample)
                    )


class WithoutSocket(Client):
    """The application's client, which ignores the socket settings that Schemathesis passes."""

    def open(self, *arguments: Any, **more: Any) -> Any:
        for name in ("max_redirects", "verify", "cert", "proxies"):
            more.pop(name, None)
        return super().open(*arguments, **more)


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Turn off logging and throttling for ten thousand requests."""
    monkeypatch.setattr(wsgi, "get_client", WithoutSocket)
    # As a server keeps them: opening one costs as much as a request. The requesting thread ends
    # without closing its own.
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", None)
    opened: list[BaseDatabaseWrapper] = []

    def note(connection: BaseDatabaseWrapper, **_: Any) -> None:
        opened.append(connection)

    connection_created.connect(note)
    logging.disable(logging.CRITICAL)
    with override_settings(API_RATE=60_000_000, API_AT_ONCE=1_000_000, ALLOWED_HOSTS=["*"]):
        yield
    logging.disable(logging.NOTSET)
    connection_created.disconnect(note)
    for each in opened:
        each.inc_thread_sharing()
        each.close()
        each.dec_thread_sharing()


@pytest.mark.services
@pytest.mark.parametrize("role", [Role.OPERATOR_MANAGER, Role.SUPERVISOR])
def test_examples_of_each_operation_find_nothing(
    own_database: str, quiet: None, role: Role
) -> None:
    del own_database, quiet
    found = list(faults(role, examples=15))
    assert not found, "\n\n".join(found[:10])


@pytest.mark.deep
def test_as_many_as_there_is_time_for_find_nothing(own_database: str, quiet: None) -> None:
    del own_database, quiet
    found = list(faults(Role.SUPERVISOR, examples=1000, seconds=600))
    assert not found, "\n\n".join(found[:10])
