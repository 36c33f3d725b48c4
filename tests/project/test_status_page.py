from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.utils import timezone

from audits.services.night import run_nights
from compliance.choices import Role
from compliance.project.models import Heartbeat
from tests.compliance.people import person_as, signed_in, with_second_factor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoAssertNumQueries, Settings
    from pytest_django.plugin import DjangoDbBlocker

    from tests.databases import Databases


@pytest.fixture
def no_database(databases: Databases, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A database that cannot be opened, as after a failed disk or a stopped server."""
    with django_db_blocker.unblock(), databases.using("/nowhere/database.sqlite3"):
        yield


@pytest.mark.django_db
def test_the_status_page_tells_each_part_in_words(client: Client) -> None:
    Heartbeat.objects.create(part="worker", at=timezone.now())
    page = client.get("/status").text
    assert "Everything works." in page
    for part in (
        "Database",
        "Tables",
        "Archive",
        "Message broker",
        "Background work",
        "Event log",
        "Nightly run",
        "Reports",
        "Sending of reports",
    ):
        assert part in page
    assert page.count("state--working") == 10


@pytest.mark.django_db
def test_a_part_that_does_not_do_its_duty_is_named_first(client: Client) -> None:
    page = client.get("/status").text
    assert "Not everything works:" in page
    assert page.index("see Background work.") < page.index("<table")
    assert "No worker was ever heard of." in page


@pytest.mark.django_db
def test_the_status_page_asks_the_database_thirteen_things(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    # Whether it answers, whether migrations are kept, which were applied, the last heartbeat,
    # the oldest event that has no place in the log yet; of the nightly run operators, who was seen
    # to, days and replays that are overdue; of reports those that are late, and those ordered that
    # failed; deliveries that failed; mails about notices that failed.
    with django_assert_num_queries(13):
        client.get("/status")


PARTS = ("Database", "PostgreSQL", "SQLite", "filesystem", "migrat", "Archive", "No worker")


@pytest.mark.django_db
def test_in_production_an_outsider_learns_only_whether_it_works(
    client: Client, settings: Settings
) -> None:
    settings.PRODUCTION, settings.SECURE_SSL_REDIRECT = True, False
    operator = Client()
    signed_in(operator, person_as(Role.OPERATOR_CLERK))
    for outsider in (client, operator):
        page = outsider.get("/status").text
        assert "Not everything works." in page
        assert [part for part in PARTS if part in page] == []
    Heartbeat.objects.create(part="worker", at=timezone.now())
    run_nights()
    assert "Everything works." in client.get("/status").text


@pytest.mark.django_db
def test_in_production_the_commissions_people_see_every_part(
    client: Client, settings: Settings
) -> None:
    administrator = person_as(Role.ADMINISTRATOR)
    with_second_factor(administrator)
    signed_in(client, administrator)
    settings.PRODUCTION, settings.SECURE_SSL_REDIRECT = True, False
    page = client.get("/status").text
    assert "see Background work." in page
    assert page.count("state--working") == 9


@pytest.mark.usefixtures("no_database")
def test_the_status_page_answers_without_a_database_and_names_it(client: Client) -> None:
    answer = client.get("/status")
    assert answer.status_code == 200
    not_well = "Database, Tables, Background work, Event log, Nightly run, Reports"
    assert f"see {not_well}, Sending of reports, Mails about notifications." in answer.text


@pytest.mark.usefixtures("no_database")
def test_somebody_signed_in_is_told_what_to_do_when_the_database_is_gone() -> None:
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "4" * 32
    answer = client.get("/")
    assert answer.status_code == 503
    assert "The database does not answer in time" in answer.text
    assert "Wait a few seconds and do the same again." in answer.text
