"""Validation of variables: each function rejects a value with a message that never repeats a URL.

A URL may contain a password, and a mistake in one may put it anywhere.
"""

from __future__ import annotations

import zoneinfo
from datetime import date
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from environs import ValidationError

from compliance.event_log.verifier import BrokenError, Policy
from compliance.project.mail import mail_settings, scheme_of
from compliance.retention.periods import read_years

if TYPE_CHECKING:
    from collections.abc import Callable

SECOND_FACTORS = ("roles", "everyone")
MODES = ("demonstration", "production")
PARTS = ("web", "worker", "beat")


def part(text: str) -> None:
    """Reject an unknown part of the system."""
    if text not in ("", *PARTS):
        message = f"is {text!r}. Write web, worker or beat."
        raise ValidationError(message)


def mode(text: str) -> None:
    """Reject an unknown mode."""
    if text not in MODES:
        message = f"is {text!r}. Write demonstration or production."
        raise ValidationError(message)


def second_factor(text: str) -> None:
    """Reject an unknown rule for the second factor."""
    if text not in SECOND_FACTORS:
        message = f"is {text!r}. Write roles or everyone."
        raise ValidationError(message)


def day_or_nothing(text: str) -> None:
    """Reject what is not a day."""
    try:
        is_day = not text or date.fromisoformat(text).isoformat() == text
    except ValueError:
        is_day = False
    if not is_day:
        message = f"is {text!r}. Write a day, as 2026-12-01."
        raise ValidationError(message)


def time_zone(text: str) -> None:
    """Reject a time zone that the IANA database does not have."""
    if text not in zoneinfo.available_timezones():
        message = f"{text!r} is no time zone. Write a name such as America/Los_Angeles."
        raise ValidationError(message)


def log_origin(text: str) -> None:
    """Reject a name that cannot be used in a checkpoint."""
    if not text or "+" in text or any(character.isspace() for character in text):
        message = f"{text!r} cannot name a log. Write a name like agency.example/log."
        raise ValidationError(message)


def port(number: int) -> None:
    """Reject an invalid port number."""
    if not 0 <= number <= 65535:
        message = f"{number} is no port. Write a number from 1 to 65535, or 0 for any that is free."
        raise ValidationError(message)


def oidc(url: str) -> None:
    """Reject an issuer without client or secret."""
    parts = urlsplit(url)
    if url and not (parts.username and parts.password and parts.hostname):
        message = "is not whole. Write https://CLIENT:SECRET@HOST/PATH."
        raise ValidationError(message)


def siem(url: str) -> None:
    """Reject an event receiver that does not use syslog over TLS."""
    message = "is not whole. Write syslog+tls://HOST:6514."
    try:
        parts = urlsplit(url)
        whole = parts.scheme == "syslog+tls" and parts.hostname and parts.port != 0
    except ValueError:  # an invalid port
        raise ValidationError(message) from None
    if url and not (whole and not parts.path.strip("/") and not parts.username):
        raise ValidationError(message)


def witnesses(place: str) -> None:
    """Reject a policy that cannot be read."""
    try:
        if place:
            Policy.parse(Path(place).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, BrokenError) as error:
        message = f"cannot be read: {error}."
        raise ValidationError(message) from None


def networks(written: list[str]) -> None:
    """Reject an invalid network."""
    for each in written:
        try:
            ip_network(each)
        except ValueError:
            message = f"{each!r} is no network. Write 10.1.2.0/24, or several with commas between."
            raise ValidationError(message) from None


def at_least_one(number: int) -> None:
    """Reject numbers below one."""
    if number < 1:
        message = f"{number} would do no work. Write 1 or more."
        raise ValidationError(message)


def retention(text: str) -> None:
    """Reject retention periods that the law does not allow."""
    try:
        read_years(text)
    except ValueError as refused:
        raise ValidationError(str(refused)) from None


def not_negative(number: int) -> None:
    """Reject negative numbers."""
    if number < 0:
        message = f"{number} is no amount. Write 0 or more."
        raise ValidationError(message)


def mail(url: str) -> None:
    """Reject an invalid mail server."""
    try:
        mail_settings(url)
    except ValueError as refused:
        raise ValidationError(str(refused)) from None


def scheme(known: tuple[str, ...]) -> Callable[[str], None]:
    """Return a check that rejects a URL with any other scheme."""

    def check(url: str) -> None:
        if urlsplit(url).scheme not in known:
            ways = ", ".join(f"{each}://" for each in known if each)
            begins = f"begins with {scheme_of(url)}://" if scheme_of(url) else "has no scheme"
            message = f"{begins}, which nothing here can open. Use {ways}."
            raise ValidationError(message)

    return check


def years(text: str | None) -> dict[str, int]:
    """Return years by class; empty if they are invalid."""
    try:
        return read_years(text or "")
    except ValueError:
        return {}  # already reported in the one error
