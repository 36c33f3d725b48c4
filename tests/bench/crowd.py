"""What exists before the load arrives: people, operators in order, an audited night.

    python -m tests.bench.crowd PEOPLE OPERATORS ROUNDS FOLDER

It runs in the installation that is going to serve, and prints what visitors must know as JSON.
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.access.models import Party, Person
    from games.setup import Setup

OWN = "room"
"""The operator whose night is audited beforehand."""


def main(people: str, operators: str, rounds: str, folder: str) -> None:
    """Create all of it."""
    django.setup()
    from compliance.access.scope import without_access_scope

    with without_access_scope():
        sys.stdout.write(json.dumps(_made(int(people), int(operators), int(rounds), Path(folder))))


def _made(people: int, operators: int, rounds: int, folder: Path) -> dict[str, Any]:
    from compliance.access.permissions import Role
    from tests.compliance.api.programs import key_for
    from tests.compliance.controls.filing import Room
    from tests.compliance.people import PASSWORD, made_person

    with _cheap_passwords():
        room = Room()
        others = [_in_order(f"{OWN}-{number}", room.officer) for number in range(operators)]
        keys = {each.code: key_for(Role.OPERATOR_MANAGER, each.code)[1] for each in others}
        order = key_for(Role.SUPERVISOR)[1]
    setup = _setup(room.party)
    _replayed_night(room.party, setup, rounds, folder / "own.jsonl")
    example = made_person("example")
    _write_logs(setup, rounds, {code: folder / f"{code}.jsonl" for code in keys})
    return {
        "password": PASSWORD,
        "hash": example.password,
        "people": _agents(people, example.password),
        "keys": keys,
        "order": order,
        "pages": _pages(),
    }


@contextmanager
def _cheap_passwords() -> Iterator[None]:
    """Give people who don't sign in here a password that costs nothing to hash."""
    from django.test.utils import override_settings

    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


def _in_order(code: str, officer: Person) -> Party:
    """Create a card room with its license, and its controls in effect."""
    from compliance import clock
    from compliance.access.permissions import Role
    from compliance.filings.controls.writes import submit_controls
    from compliance.filings.licenses.models import LicenseClass
    from tests.compliance.api.programs import maker_of
    from tests.compliance.controls.filing import bring_into_effect, licensed, local, only_pyramid
    from tests.compliance.people import party_for

    with clock.standing_at(local(2025, 1, 15, 12)):
        manager = maker_of(Role.OPERATOR_MANAGER, code)
        party = party_for(Role.OPERATOR_MANAGER, code)
        licensed(party, LicenseClass.HOUSE_BANKED_CARD_ROOM, officer)
        version = submit_controls(operator=party, content=only_pyramid(), by=manager)
        bring_into_effect(version, officer, local(2025, 2, 1, 6))
    return party


def _setup(operator: Party) -> Setup:
    from audits.replay.terms import terms_of
    from games.setup import read_setup
    from tests.bench.long_log import CLOSING, GAME, OPENING

    return read_setup(
        terms_of(operator=operator, game=GAME, begin=OPENING, end=CLOSING).spans[0].setup
    )


def _replayed_night(operator: Party, setup: Setup, rounds: int, log: Path) -> None:
    """Submit and audit a night of the same kind, and close it as the nightly run does."""
    from audits.intake.ingestion import take_in_here
    from audits.intake.submission import submit_whole
    from compliance.events.actor import SYSTEM
    from tests.bench.long_log import write_long_log
    from tests.reports.nights import closed, replayed

    write_long_log(log, setup, rounds)
    with log.open("rb") as content:
        take_in_here(
            submit_whole(party=operator, name=log.name, content=content, by=SYSTEM, read_here=True)
        )
    replayed(operator)
    closed(operator, date(2025, 7, 12))


def _write_logs(setup: Setup, rounds: int, places: dict[str, Path]) -> None:
    """Write the same night for each operator, with ids of its own."""
    from tests.bench.long_log import write_long_log

    for code, place in places.items():
        write_long_log(place, setup, rounds)
        place.write_bytes(place.read_bytes().replace(b'"round":"', f'"round":"{code}-'.encode()))


def _agents(count: int, password: str) -> list[tuple[str, str]]:
    """Create agents with an authenticator app each; return the email and secret of each.

    All have one password, hashed once: checking it costs as much as any other, and a thousand
    hashes would take longer than everything that is measured.
    """
    from allauth.account.models import EmailAddress
    from allauth.mfa.adapter import get_adapter
    from allauth.mfa.models import Authenticator
    from allauth.mfa.totp.internal.auth import generate_totp_secret

    from compliance import clock
    from compliance.access.models import Membership, Person
    from compliance.access.permissions import Role
    from tests.compliance.people import party_for

    unit, now = party_for(Role.AGENT), clock.now()
    secrets = [generate_totp_secret() for _ in range(count)]
    people = Person.objects.bulk_create(
        Person(email=f"agent-{number}@example.org", name=f"Agent {number}", password=password)
        for number in range(count)
    )
    EmailAddress.objects.bulk_create(
        EmailAddress(user=each, email=each.email, verified=True, primary=True) for each in people
    )
    Membership.objects.bulk_create(
        Membership(party=unit, person=each, role=Role.AGENT, since=now) for each in people
    )
    Authenticator.objects.bulk_create(
        Authenticator(
            user=each,
            type=Authenticator.Type.TOTP,
            data={"secret": get_adapter().encrypt(secret)},
        )
        for each, secret in zip(people, secrets, strict=True)
    )
    return [(each.email, secret) for each, secret in zip(people, secrets, strict=True)]


def _pages() -> list[str]:
    """Return what agents read in an evening."""
    from django.urls import reverse

    from audits.replay.findings.models import Finding, Issue

    issue = Issue.objects.order_by("-findings", "pk").first()
    finding = Finding.objects.order_by("pk").first()
    assert issue is not None
    assert finding is not None
    return [
        "/",
        "/dashboard/",
        "/work/?whose=unit&queue=nobody",
        "/findings/",
        f"/findings/{issue.uuid}/",
        reverse("round", args=[OWN, finding.round]),
    ]


if __name__ == "__main__":
    main(*sys.argv[1:])
