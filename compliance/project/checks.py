"""What is required before the system may start; each error says why and what to do."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, register
from django.db import DatabaseError, connection

from compliance.checks import CONFIGURATION
from compliance.event_log.proof import NoLogKeyError
from compliance.event_log.tree import signing_keys
from compliance.project.broker import on_one_machine
from compliance.project.configuration import ANYONE_ELSE, database_settings, open_to_others
from compliance.project.environment import DEMONSTRATION_LOG
from compliance.project.keys import DEMONSTRATION_SECRETS, keys_folder
from compliance.project.mail import mail_settings
from compliance.secret import Secret, revealed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SECRET_CHARACTERS = 50


@register(CONFIGURATION)
def one_process_without_servers(**_: Any) -> list[CheckMessage]:
    """Require PostgreSQL and Redis for several workers.

    SQLite has one writer at a time, and a broker folder one reader.
    """
    missing = []
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        missing.append("the database is SQLite (let DATABASE_URL name a PostgreSQL)")
    if on_one_machine(settings.BROKER_URL):
        missing.append("the broker is a folder (let BROKER_URL name a Redis)")
    if settings.WORKERS == 1 or not missing:
        return []
    return [
        Error(
            f"WORKERS is {settings.WORKERS}, but {' and '.join(missing)}.",
            hint="Or set WORKERS to 1.",
            id="project.E001",
        )
    ]


def _required(name: str) -> bool:
    """Return whether this process needs a variable in production."""
    return bool(settings.PRODUCTION) and settings.ENVIRONMENT.uses(name)


@register(CONFIGURATION)
def secrets_of_its_own(**_: Any) -> list[CheckMessage]:
    """Reject weak or shared keys: sessions and encrypted secrets are only as safe as their keys."""
    given: dict[str, list[Secret]] = {
        "SECRET_KEY": [settings.ENVIRONMENT.secret_key],
        "SECOND_FACTOR_KEYS": settings.SECOND_FACTOR_KEYS or [Secret("")],
        "WEBHOOK_KEYS": settings.WEBHOOK_KEYS or [Secret("")],
    }
    made = [
        place.read_text()
        for name in DEMONSTRATION_SECRETS
        if (place := keys_folder(settings.VAR) / name).exists()
    ]
    newest = [keys[0] for keys in given.values() if keys[0]]
    problems = []
    for name, keys in given.items():
        if not _required(name):
            continue
        for key in keys:
            if len(key.reveal()) < SECRET_CHARACTERS:
                problems.append(f"{name} has {len(key.reveal())} characters.")
            elif key.reveal() in made:
                problems.append(f"{name} was made by a demonstration.")
        if newest.count(keys[0]) > 1:
            problems.append(f"{name} begins with a key that is also used elsewhere.")
    return [
        Error(
            problem,
            hint=f"Set it to {SECRET_CHARACTERS} or more random characters that nobody else knows "
            "and that are used for nothing else.",
            id="project.E002",
        )
        for problem in problems
    ]


def _problem_of_token() -> str:
    """Return why the token cannot sign the event log; empty if it can."""
    try:
        [key] = signing_keys()
        key.sign(b"Does this key belong to SIGNING_KEY?")
    except NoLogKeyError as refused:
        return str(refused)
    return ""


@register(CONFIGURATION)
def signing_key_at_hand(**_: Any) -> list[CheckMessage]:
    """Require the key that signs the event log."""
    if not _required("SIGNING_KEY"):
        return []
    place = settings.SIGNING_KEY
    problem = ""
    if not place:
        problem = "SIGNING_KEY is not set."
    elif Path(place).resolve().is_relative_to(keys_folder(settings.VAR)):
        problem = f"SIGNING_KEY names {place}, where the demonstration keeps its own."
    elif settings.SIGNING_TOKEN:
        problem = _problem_of_token()
    else:
        try:
            key = load_pem_private_key(Path(place).read_bytes(), password=None)
        except OSError as refused:
            problem = f"SIGNING_KEY names {place}: {refused.strerror}."
        except (ValueError, TypeError, UnsupportedAlgorithm):
            problem = f"SIGNING_KEY names {place}, which holds no readable private key."
        else:
            if not isinstance(key, Ed25519PrivateKey):
                problem = f"SIGNING_KEY names {place}, which holds a key of another kind."
    if not problem:
        return []
    return [
        Error(
            problem,
            hint="Make one with `openssl genpkey -algorithm ed25519 -out FILE`, readable by the "
            "system alone, and let SIGNING_KEY name it.",
            id="project.E003",
        )
    ]


@register(CONFIGURATION)
def report_key_at_hand(**_: Any) -> list[CheckMessage]:
    """Require the key and certificate that sign reports."""
    if not _required("REPORT_KEY"):
        return []
    from reports.signing.keys import NoReportKeyError, report_key  # slow to import

    try:
        report_key()
    except NoReportKeyError as unusable:
        return [
            Error(
                str(unusable),
                hint="Let it name a PKCS#12 or PEM file with the key and the certificate that "
                "sign reports, and REPORT_KEY_PASSPHRASE its passphrase.",
                id="project.E009",
            )
        ]
    return []


@register(CONFIGURATION)
def log_named_once(**_: Any) -> list[CheckMessage]:
    """Reject the demonstration's log name: two logs under one name would contradict each other."""
    if settings.PRODUCTION and settings.LOG_ORIGIN == DEMONSTRATION_LOG:
        return [
            Error(
                f"LOG_ORIGIN is that of every demonstration, {DEMONSTRATION_LOG}.",
                hint="Give the event log a name of its own for good, such as agency.example/log.",
                id="project.E006",
            )
        ]
    return []


@register(CONFIGURATION)
def nobody_invented(**_: Any) -> list[CheckMessage]:
    """Reject demonstration people in production: they are invented, with passwords in a file."""
    if settings.PRODUCTION and (Path(settings.VAR) / "demonstration").exists():
        return [
            Error(
                f"{settings.VAR} holds a demonstration, whose invented people could sign in.",
                hint="Let VAR and DATABASE_URL name a folder and a database of production's own.",
                id="project.E007",
            )
        ]
    return []


@register(CONFIGURATION)
def read_by_nobody_else(**_: Any) -> list[CheckMessage]:
    """Reject stored files that others can read: that would bypass the access scope."""
    if not settings.PRODUCTION:
        return []
    kept = {"VAR": Path(settings.VAR)}
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        kept["DATABASE_URL"] = Path(settings.DATABASES["default"]["NAME"])
    archive = urlsplit(revealed(settings.ARCHIVE_URL))
    if archive.scheme != "s3":
        kept["ARCHIVE_URL"] = Path(archive.path)
    return [
        Error(
            f"{name} is {place}, which everybody on this machine may open.",
            hint=f"Run `chmod o= {place}` as its owner.",
            id="project.E008",
        )
        for name, place in kept.items()
        if open_to_others(place)
    ]


@register(CONFIGURATION)
def key_files_kept_private(**_: Any) -> list[CheckMessage]:
    """Reject private keys that others can read: they could sign or connect as the system."""
    if not settings.PRODUCTION:
        return []
    database = database_settings(settings.ENVIRONMENT).get("OPTIONS", {})
    files = {
        "SIGNING_KEY": "" if settings.SIGNING_TOKEN else settings.SIGNING_KEY,
        # With a token the file contains only certificates.
        "REPORT_KEY": "" if settings.REPORT_TOKEN else settings.REPORT_KEY,
        "DATABASE_URL": database.get("sslkey", ""),
        "BROKER_URL": _query(settings.ENVIRONMENT.broker).get("ssl_keyfile", ""),
    }
    return [
        Error(
            f"{name} names the key file {place}, which other users can read or change.",
            hint=f"Run `chmod 600 {place}` as its owner, which must be the user that runs this "
            "system. If others could read it until now, make a new key.",
            id="project.E010",
        )
        for name, place in files.items()
        if place and Path(place).is_file() and Path(place).stat().st_mode & ANYONE_ELSE
    ]


@register(CONFIGURATION)
def encrypted_connections(**_: Any) -> list[CheckMessage]:
    """Reject connections to other machines that TLS does not protect."""
    given = settings.ENVIRONMENT
    found = {
        "BROKER_URL": _broker_problems(given.broker),
        "DATABASE_URL": _database_problems(database_settings(given)),
        "MAIL_URL": _mail_problems(mail_settings(given.mail.reveal())),
        "ARCHIVE_URL": _store_problems("ARCHIVE_URL", given.archive),
        "REPORTS_URL": _store_problems("REPORTS_URL", given.reports),
        "TIMESTAMP_URL": _timestamp_problems(given.timestamp_url),
    }
    return [
        Error(problem, hint=hint, id=name)
        for variable, problems in found.items()
        if _required(variable)
        for problem, hint, name in problems
    ]


@register(CONFIGURATION)
def no_superuser(**_: Any) -> list[CheckMessage]:
    """Reject a superuser, who can bypass the triggers that protect history."""
    if not _required("DATABASE_URL") or connection.vendor != "postgresql":
        return []
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT rolsuper, rolname FROM pg_roles WHERE rolname = session_user")
            is_superuser, user = cursor.fetchone()
    except DatabaseError:
        return [
            checks.Warning(
                "The database does not answer, so it is unknown whether its user is a superuser.",
                hint="Start the database, then run `manage.py check` again.",
                id="project.W002",
            )
        ]
    if not is_superuser:
        return []
    return [
        Error(
            f"DATABASE_URL signs in as {user}, who is a database superuser.",
            hint="Create a separate user with `CREATE ROLE compliance LOGIN PASSWORD '…'` that "
            "owns this database and nothing else, and set DATABASE_URL to that user.",
            id="project.E016",
        )
    ]


def _broker_problems(url: Secret) -> Iterator[tuple[str, str, str]]:
    parts = urlsplit(url.reveal())
    if parts.scheme not in ("redis", "rediss") or is_local(parts.hostname):
        return
    # Without this parameter, Celery encrypts but accepts any certificate.
    verified = _query(url).get("ssl_cert_reqs", "") in ("required", "CERT_REQUIRED")
    if parts.scheme == "redis" or not verified or not parts.password:
        yield (
            "BROKER_URL names a Redis on another machine without a password, or without TLS that "
            "verifies its certificate.",
            "Set it to rediss://:PASSWORD@HOST:6379/0?ssl_cert_reqs=required.",
            "project.E011",
        )


def _database_problems(database: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    options = database.get("OPTIONS", {})
    named = (database.get("HOST", ""), options.get("host", ""), options.get("hostaddr", ""))
    if "postgresql" not in database["ENGINE"] or all(map(is_local, named)):
        return
    if options.get("sslmode") != "verify-full":
        yield (
            f"DATABASE_URL names a PostgreSQL on another machine, {max(named)}, without "
            "verifying its certificate.",
            "Add ?sslmode=verify-full to it, and &sslrootcert=FILE for a certificate authority of "
            "your own.",
            "project.E012",
        )


def _mail_problems(mail: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    in_clear = not (mail.get("EMAIL_USE_TLS") or mail.get("EMAIL_USE_SSL"))
    credentials = mail.get("EMAIL_HOST_USER") or mail.get("EMAIL_HOST_PASSWORD")
    if credentials and in_clear and not is_local(mail["EMAIL_HOST"]):
        yield (
            f"MAIL_URL sends its user name and password to {mail['EMAIL_HOST']} unencrypted.",
            "Start it with smtp+tls:// or smtp+ssl://.",
            "project.E013",
        )


def _store_problems(name: str, url: Secret) -> Iterator[tuple[str, str, str]]:
    query = _query(url)
    place = query.get("endpoint_override", "")
    place = place if "://" in place else f"{query.get('scheme', 'https')}://{place}"
    if not url.reveal().startswith("s3://") or is_local(urlsplit(place).hostname or "s3"):
        return
    if "http" in (query.get("scheme"), urlsplit(place).scheme):
        yield (
            f"{name} names an S3 store that is reached over http, so its keys and every file are "
            "sent unencrypted.",
            "Set scheme=https in it, and an endpoint_override that supports https.",
            "project.E014",
        )


def _timestamp_problems(url: Secret) -> Iterator[tuple[str, str, str]]:
    parts = urlsplit(url.reveal())
    if parts.scheme == "http" and not is_local(parts.hostname):
        yield (
            f"TIMESTAMP_URL reaches {parts.hostname} over http, so others on the network can "
            "withhold or change its answers.",
            "Use a time-stamping authority with an https:// address.",
            "project.E015",
        )


def _query(url: Secret) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url.reveal()).query))


def is_local(host: str | None) -> bool:
    """Return whether a connection stays on this machine: a loopback address or a socket folder."""
    hosts = (host or "").split(",")  # PostgreSQL accepts several
    return all(
        each in ("", "localhost") or each.startswith("/") or _is_loopback(each) for each in hosts
    )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@register(CONFIGURATION)
def mail_leaves_the_house(**_: Any) -> list[CheckMessage]:
    """Reject email to a folder in production: it would reach nobody."""
    if _required("MAIL_URL") and settings.EMAIL_BACKEND.endswith("filebased.EmailBackend"):
        return [
            Error(
                "Mails would be kept as files and reach nobody.",
                hint="Let MAIL_URL name a mail server, as in smtp+tls://USER:PASSWORD@HOST:587.",
                id="project.E004",
            )
        ]
    return []


@register(CONFIGURATION)
def named_hosts(**_: Any) -> list[CheckMessage]:
    """Reject a wildcard host: a forged host name must not end up in links."""
    if settings.PRODUCTION and "*" in settings.ALLOWED_HOSTS:
        return [
            Error(
                "HOSTS lets every name through.",
                hint="Name the hosts under which the system is reached.",
                id="project.E005",
            )
        ]
    return []


@register(CONFIGURATION)
def encrypted_in_front(**_: Any) -> list[CheckMessage]:
    """Require an HTTPS proxy: the web serves plain HTTP and redirects every visitor to HTTPS."""
    if settings.PRODUCTION and not settings.ENVIRONMENT.behind_proxy:
        return [
            checks.Warning(
                "Nothing in front of the web is known to end TLS: visitors are redirected forever.",
                hint="Put a proxy in front that sets X-Forwarded-Proto, and BEHIND_PROXY to true.",
                id="project.W001",
            )
        ]
    return []
