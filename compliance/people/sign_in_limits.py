"""Known devices, and limits on wrong passwords and codes by device, address and account."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from compliance import clock
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.people import events
from compliance.people.models import KnownDevice, SignInLimit

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from compliance.access.models import Person


DEVICE_LASTS = timedelta(days=400)
"""The longest time browsers keep a cookie."""


def known_device(person: Person | None, token: str) -> KnownDevice | None:
    """Return the device with this token, if the person has signed in on it before."""
    if person is None or not token:
        return None
    return KnownDevice.objects.filter(person=person, token_sha256=_digest(token)).first()


@transaction.atomic
def remember_device(*, person: Person, token: str, browser: str, address: str) -> str:
    """Record that a person fully signed in with a browser; return the browser's new token.

    The token changes with every sign-in, for all who use the browser: one that was planted in it,
    or copied from it, is worth nothing after that.
    """
    now = clock.now()
    fresh = secrets.token_urlsafe(32)
    if token:
        KnownDevice.objects.filter(token_sha256=_digest(token)).update(token_sha256=_digest(fresh))
    device, new = KnownDevice.objects.update_or_create(
        person=person,
        token_sha256=_digest(fresh),
        defaults={"browser": browser, "last_used": now},
        create_defaults={"browser": browser, "last_used": now, "since": now},
    )
    if new:
        personal = {"address": address, "browser": browser}
        record(events.DEVICE_REMEMBERED, by=person, about=device, personal=personal)
    return fresh


@transaction.atomic
def forget_device(*, uuid: UUID, by: Person) -> None:
    """Remove a device from its owner's list. Rejects an unknown device."""
    device = KnownDevice.objects.filter(person=by, uuid=uuid).first()
    if device is None:
        msg = "This device is no longer on your list."
        raise RefusedError(msg)
    record(events.DEVICE_FORGOTTEN, by=by, about=device)
    device.delete()


def forget_old_devices() -> None:
    """Remove devices whose cookie has expired."""
    KnownDevice.objects.filter(last_used__lt=clock.now() - DEVICE_LASTS).delete()


def _digest(token: str) -> str:
    """Return the stored form of a token: 256 random bits need no slow hash."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


FORGOTTEN_AFTER = timedelta(days=1)
"""A count starts over after this long without a wrong attempt."""


@dataclass(frozen=True)
class Source:
    """A way of counting attempts: how many are free, and the longest wait."""

    name: str
    free: int
    longest: timedelta


DEVICE = Source("device", free=5, longest=timedelta(minutes=15))
# An office shares one: on its first morning many people may sign in there at the same instant.
ADDRESS = Source("address", free=30, longest=timedelta(hours=1))
ACCOUNT = Source("account", free=5, longest=timedelta(minutes=15))
FIRST_WAIT = timedelta(minutes=1)
"""The first wait, after the free attempts; each further wrong one doubles it."""

SIGN_IN = "wrong passwords or codes"
RESET = "requests for a new password"


@dataclass(frozen=True)
class Attempt:
    """An attempt that was counted: the rows of its counts."""

    rows: tuple[int, ...]


class TooManyAttemptsError(Exception):
    """An attempt was too early: its source, and when the wait ends."""

    def __init__(self, source: Source, until: datetime) -> None:
        super().__init__(source.name)
        self.source = source
        self.until = until


def begin_attempt(
    what: str, *, person: Person | None, login: str, address: str, token: str
) -> Attempt:
    """Count an attempt for a person's account, or for a login that has no account.

    Each `what` has its own count. Raises `TooManyAttemptsError` if an attempt comes too early; that
    counts nothing.
    """
    device = known_device(person, token)
    if device is not None:
        counts = [(DEVICE, str(device.pk))]
    else:
        account = _account(person) if person else f"login {login.strip().lower()}"
        counts = [(ACCOUNT, account), (ADDRESS, _network(address))]
    now = clock.now()
    with transaction.atomic():
        rows = [(source, _row(_key(what, source, value), now)) for source, value in counts]
        waits = [(row.wait_until, source) for source, row in rows if row.wait_until]
        until, source = max(waits, key=lambda each: each[0], default=(now, ACCOUNT))
        if until > now:
            raise TooManyAttemptsError(source, until)
        for source, row in rows:
            row.failures += 1
            row.last_attempt = now
            wait = _wait(source, row.failures)
            row.wait_until = now + wait if wait else None
            row.save()
    return Attempt(tuple(row.pk for _, row in rows))


def take_back(attempt: Attempt) -> None:
    """Uncount an attempt that was right. Earlier wrong ones stay counted."""
    SignInLimit.objects.filter(pk__in=attempt.rows, failures__gt=0).update(
        failures=F("failures") - 1, wait_until=None
    )


def clear_account(person: Person) -> None:
    """Clear an account's count: its owner has proved access to its mailbox."""
    SignInLimit.objects.filter(key=_key(SIGN_IN, ACCOUNT, _account(person))).delete()


def clear_device(device: KnownDevice) -> None:
    """Clear a device's count: its owner has just signed in on it."""
    SignInLimit.objects.filter(key=_key(SIGN_IN, DEVICE, str(device.pk))).delete()


def forget_old_limits() -> None:
    """Remove counts that have started over."""
    SignInLimit.objects.filter(last_attempt__lt=clock.now() - FORGOTTEN_AFTER).delete()


def _row(key: str, now: datetime) -> SignInLimit:
    """Return the count of a source, locked until the end of the transaction."""
    row, _ = SignInLimit.objects.select_for_update().get_or_create(
        key=key, defaults={"last_attempt": now}
    )
    if row.last_attempt < now - FORGOTTEN_AFTER:
        row.failures = 0
    return row


def _wait(source: Source, failures: int) -> timedelta:
    over = failures - source.free
    if over < 0:
        return timedelta(0)
    return min(FIRST_WAIT * (1 << min(over, 10)), source.longest)


def _network(address: str) -> str:
    """Return the network to count an address by: for IPv6 its /64, which one household shares."""
    try:
        at = ip_address(address)
    except ValueError:
        return address
    if isinstance(at, IPv6Address):
        at = at.ipv4_mapped or ip_network((at, 64), strict=False).network_address
    return str(at)


def _account(person: Person) -> str:
    return f"person {person.pk}"


def _key(what: str, source: Source, value: str) -> str:
    text = f"{what} {source.name} {value}"
    return salted_hmac("compliance.sign_in_limits", text, algorithm="sha256").hexdigest()
