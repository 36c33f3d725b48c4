"""The configuration: every variable the system reads, what it means, and what it may be.

It is read once, when the settings are loaded. A value that cannot be used stops the start with a
sentence that names the variable and what to write instead.
"""

from __future__ import annotations

import hashlib
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from environs import Env, EnvValidationError, ValidationError

from compliance.project.mail import mail_settings
from compliance.retention import read_years

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
MODES = ("demonstration", "production")
BROKERS = ("filesystem", "redis", "rediss", "redis+socket")
DEMONSTRATION_LOG = "demonstration.invalid/log"
ARCHIVES = ("", "file", "s3")


class Variable(NamedTuple):
    """One variable, as the reference in `docs/` lists it."""

    name: str
    says: str
    default: str


@dataclass(frozen=True, kw_only=True)
class Environment:
    """What the environment says, parsed and checked."""

    mode: Annotated[
        str,
        Variable(
            "MODE",
            "`demonstration` makes its own keys and invented data; `production` refuses both.",
            "`demonstration`",
        ),
    ]
    var: Annotated[
        Path,
        Variable(
            "VAR",
            "Folder of everything that running leaves behind; to delete it is to start afresh.",
            "`var/` beside `manage.py`",
        ),
    ]
    agency: Annotated[
        str,
        Variable(
            "AGENCY_NAME",
            "The agency named in banners, letters and reports.",
            "`Gambling Commission`",
        ),
    ]
    time_zone: Annotated[
        str,
        Variable(
            "TIME_ZONE",
            "Time zone of the agency, as the IANA database names it.",
            "`America/Los_Angeles`",
        ),
    ]
    hosts: Annotated[
        list[str],
        Variable("HOSTS", "Host names the web answers to, separated by commas.", "this machine's"),
    ]
    port: Annotated[int, Variable("PORT", "Port on which `make run` serves.", "`8000`")]
    behind_proxy: Annotated[
        bool,
        Variable(
            "BEHIND_PROXY",
            "`true` when one proxy in front ends TLS, sets `X-Forwarded-Proto` and adds the "
            "visitor's address to `X-Forwarded-For`.",
            "`false`",
        ),
    ]
    secret_key: Annotated[
        str,
        Variable(
            "SECRET_KEY",
            "Secret that signs sessions: 50 random characters or more.",
            "a demonstration makes its own in `VAR/keys/`; production needs one",
        ),
    ]
    signing_key: Annotated[
        str,
        Variable(
            "SIGNING_KEY",
            "PEM file with the Ed25519 private key that signs what the system vouches for; while "
            "keys change, the new and the old one in one file, and both sign.",
            "a demonstration makes its own in `VAR/keys/`; production needs one",
        ),
    ]
    retired_keys: Annotated[
        str,
        Variable(
            "RETIRED_KEYS",
            "File of public keys that signed the event log once, one a line, each with the size of "
            "the last checkpoint it signed.",
            "none",
        ),
    ]
    log_origin: Annotated[
        str,
        Variable(
            "LOG_ORIGIN",
            "Name of the event log in its checkpoints and keys, such as `agency.example/log`; it "
            "never changes.",
            "`demonstration.invalid/log`; production needs one",
        ),
    ]
    report_key: Annotated[
        str,
        Variable(
            "REPORT_KEY",
            "File with the key and the certificate that sign reports: PKCS#12, or PEM with the "
            "private key, its certificate and those that issued it.",
            "a demonstration makes its own in `VAR/keys/`; production needs one",
        ),
    ]
    report_key_passphrase: Annotated[
        str,
        Variable(
            "REPORT_KEY_PASSPHRASE",
            "Passphrase of the file `REPORT_KEY`, or the PIN of `REPORT_TOKEN`.",
            "none",
        ),
    ]
    report_token: Annotated[
        str,
        Variable(
            "REPORT_TOKEN",
            "Where a token holds the key that signs reports, as "
            "`pkcs11:token=TOKEN;object=KEY?module-path=/usr/lib/…/MODULE.so`; `REPORT_KEY` is "
            "then a PEM file of its certificate and of those that issued it.",
            "the key is in the file",
        ),
    ]
    retired_certificates: Annotated[
        str,
        Variable(
            "RETIRED_CERTIFICATES",
            "PEM file of certificates that signed reports once and are still believed.",
            "none",
        ),
    ]
    timestamp_url: Annotated[
        str,
        Variable(
            "TIMESTAMP_URL",
            "Time-stamping authority (RFC 3161) that vouches for when a report was signed.",
            "signatures without a timestamp",
        ),
    ]
    timestamp_certificates: Annotated[
        str,
        Variable(
            "TIMESTAMP_CERTIFICATES",
            "PEM file of time-stamping authorities, or of those that certify them, whose "
            "timestamps are believed.",
            "a timestamp is read, and not believed",
        ),
    ]
    database: Annotated[
        dict[str, Any],
        Variable(
            "DATABASE_URL",
            "`postgres://USER:PASSWORD@HOST:PORT/NAME` or `sqlite:////FILE`.",
            "SQLite, in `VAR/database.sqlite3`",
        ),
    ]
    broker: Annotated[
        str,
        Variable(
            "BROKER_URL",
            "`redis://HOST:PORT/NUMBER`, `redis+socket:///FILE` or `filesystem://`.",
            "`filesystem://`, in `VAR/broker`, for one worker",
        ),
    ]
    archive: Annotated[
        str,
        Variable(
            "ARCHIVE_URL",
            "A folder, or `s3://BUCKET/PREFIX?region=…&endpoint_override=HOST:PORT&scheme=https`.",
            "`VAR/archive`",
        ),
    ]
    mail: Annotated[
        str,
        Variable(
            "MAIL_URL",
            "`smtp+tls://USER:PASSWORD@HOST:587`, or `file:///FOLDER` that keeps mails as files.",
            "files in `VAR/mail`; refused in production",
        ),
    ]
    mail_from: Annotated[
        str, Variable("MAIL_FROM", "Sender of the system's mail.", "`compliance@localhost`")
    ]
    site: Annotated[
        str,
        Variable(
            "SITE_URL",
            "Address under which people reach the system, for links in mails.",
            "`http://localhost:PORT`; in production `https://` and the first of `HOSTS`",
        ),
    ]
    reports: Annotated[
        str,
        Variable(
            "REPORTS_URL",
            "Where reports are put for other systems to fetch, in a folder for each party: a "
            "folder, or `s3://…` as for `ARCHIVE_URL`.",
            "nowhere",
        ),
    ]
    reading_room: Annotated[
        bool,
        Variable(
            "READING_ROOM",
            "`true` opens the reading room: approved games, letters and the law, for anybody "
            "without an account.",
            "open in a demonstration, closed in production",
        ),
    ]
    clamd: Annotated[
        str,
        Variable(
            "CLAMD_URL",
            "A clamd that looks at each document before it is kept: `tcp://HOST:3310` or "
            "`unix:///SOCKET`. While it does not answer, no document is taken.",
            "no scanner is asked",
        ),
    ]
    metrics_token: Annotated[
        str,
        Variable(
            "METRICS_TOKEN",
            "What Prometheus sends as bearer token to `/metrics`.",
            "open in a demonstration, closed in production",
        ),
    ]
    oidc: Annotated[
        str,
        Variable(
            "OIDC_URL",
            "Single sign-on by OpenID Connect: `https://CLIENT:SECRET@HOST/PATH` of the issuer. "
            "People still come by invitation; it signs in those whose verified address is known.",
            "no single sign-on",
        ),
    ]
    retention: Annotated[
        dict[str, int],
        Variable(
            "RETENTION",
            "Years after which bytes are removed, by class: `rounds=5,evidence=7,reports=10`. A "
            "legal hold wins; fewer than 3 years are refused (WAC 230-15-195).",
            "nothing is ever removed",
        ),
    ]
    four_eyes_above: Annotated[
        int,
        Variable(
            "FOUR_EYES_ABOVE",
            "Cents: a pattern in which more money moved is closed by two people.",
            "`100000`",
        ),
    ]
    workers: Annotated[
        int,
        Variable(
            "WORKERS", "Processes of one worker; more than one needs PostgreSQL and Redis.", "`1`"
        ),
    ]
    web_processes: Annotated[int, Variable("WEB_PROCESSES", "Processes of the web.", "`1`")]
    web_threads: Annotated[
        int, Variable("WEB_THREADS", "Requests that one web process serves at a time.", "`4`")
    ]

    api_rate: Annotated[
        int,
        Variable("API_RATE", "Requests a minute that one key for a program may make.", "`600`"),
    ]
    webhook_networks: Annotated[
        list[str],
        Variable(
            "WEBHOOK_NETWORKS",
            "Networks, separated by commas, that webhooks may lead to beside the public internet. "
            "Whoever may make a webhook reaches every machine in them.",
            "none",
        ),
    ]

    @property
    def production(self) -> bool:
        """Whether real filings and real money stand behind this installation."""
        return self.mode == "production"


def variables() -> list[Variable]:
    """Every variable, in the order of the reference."""
    hints = get_type_hints(Environment, include_extras=True)
    return [hint.__metadata__[0] for hint in hints.values()]


def configuration_reference() -> str:
    """Return the page of the reference that lists every variable."""
    rows = "".join(f"| `{each.name}` | {each.says} | {each.default} |\n" for each in variables())
    return (
        "# Configuration\n\n"
        "Made from `compliance/project/environment.py` by `manage.py write_references`; a test "
        "fails when it is\nstale.\n\n"
        "The system is configured by environment variables alone. They are read and checked when "
        "a process starts;\none refusal names every value that cannot be used. `manage.py check` "
        "says what else is missing before\n`MODE=production` may start, and each part refuses "
        "for the same reasons.\n\n"
        "| variable | meaning | without it |\n| --- | --- | --- |\n"
        f"{rows}"
    )


def read_environment() -> Environment:
    """Read the process's environment; every unusable value is named in one refusal."""
    env = Env(eager=False)
    var = Path(env.str("VAR", "") or ROOT / "var").expanduser().resolve()
    values: dict[str, Any] = {
        "mode": env.str("MODE", "demonstration", validate=_mode),
        "var": var,
        "agency": env.str("AGENCY_NAME", "Gambling Commission"),
        "time_zone": env.str("TIME_ZONE", "America/Los_Angeles", validate=_time_zone),
        "hosts": env.list("HOSTS", ["localhost", "127.0.0.1", "[::1]"]),
        "port": env.int("PORT", 8000, validate=_port),
        "behind_proxy": env.bool("BEHIND_PROXY", default=False),
        "secret_key": env.str("SECRET_KEY", ""),
        "signing_key": env.str("SIGNING_KEY", ""),
        "retired_keys": env.str("RETIRED_KEYS", ""),
        "log_origin": env.str("LOG_ORIGIN", DEMONSTRATION_LOG, validate=_log_origin),
        "report_key": env.str("REPORT_KEY", ""),
        "report_key_passphrase": env.str("REPORT_KEY_PASSPHRASE", ""),
        "report_token": env.str("REPORT_TOKEN", ""),
        "retired_certificates": env.str("RETIRED_CERTIFICATES", ""),
        "timestamp_certificates": env.str("TIMESTAMP_CERTIFICATES", ""),
        "timestamp_url": env.str("TIMESTAMP_URL", "", validate=_scheme(("", "http", "https"))),
        "database": env.dj_db_url("DATABASE_URL", f"sqlite:///{var / 'database.sqlite3'}"),
        "broker": env.str("BROKER_URL", "filesystem://", validate=_scheme(BROKERS)),
        "archive": env.str("ARCHIVE_URL", str(var / "archive"), validate=_scheme(ARCHIVES)),
        "mail": env.str("MAIL_URL", f"file://{var / 'mail'}", validate=_mail),
        "mail_from": env.str("MAIL_FROM", "compliance@localhost"),
        "site": env.str("SITE_URL", "", validate=_scheme(("", "http", "https"))).rstrip("/"),
        "reports": env.str("REPORTS_URL", "", validate=_scheme(ARCHIVES)),
        "reading_room": env.bool(
            "READING_ROOM", default=env.str("MODE", "demonstration") == "demonstration"
        ),
        "clamd": env.str("CLAMD_URL", "", validate=_scheme(("", "tcp", "unix"))),
        "metrics_token": env.str("METRICS_TOKEN", ""),
        "oidc": env.str("OIDC_URL", "", validate=_oidc),
        "retention": _years(env.str("RETENTION", "", validate=_retention)),
        "four_eyes_above": env.int("FOUR_EYES_ABOVE", 100_000, validate=_not_negative),
        "workers": env.int("WORKERS", 1, validate=_at_least_one),
        "web_processes": env.int("WEB_PROCESSES", 1, validate=_at_least_one),
        "web_threads": env.int("WEB_THREADS", 4, validate=_at_least_one),
        "api_rate": env.int("API_RATE", 600, validate=_at_least_one),
        "webhook_networks": env.list("WEBHOOK_NETWORKS", [], validate=_networks),
    }
    try:
        env.seal()
    except EnvValidationError as refused:
        raise ImproperlyConfigured(_sentences(refused)) from None
    return Environment(**values)


def held_checkpoint(var: Path, database: Mapping[str, Any]) -> Path:
    """Name the file that keeps the newest checkpoint of the log in this database, outside of it.

    Each database has a file of its own: another database holds another log.
    """
    name = Path(str(database["NAME"]))
    if name.is_relative_to(var):
        name = name.relative_to(var)  # the folder may be moved, and the log with it
    place = f"{database.get('HOST', '')}:{database.get('PORT', '')}/{name}"
    return var / f"log-{hashlib.sha256(place.encode()).hexdigest()[:8]}.checkpoint"


def _sentences(refused: EnvValidationError) -> str:
    lines = ["The configuration cannot be used:"]
    found = refused.error_messages
    found = found if isinstance(found, Mapping) else {"": found}
    lines += [f"  {name}: {each}" for name, messages in found.items() for each in messages]
    lines.append("docs/reference/configuration.md lists every variable.")
    return "\n".join(lines)


def _mode(text: str) -> None:
    if text not in MODES:
        message = f"is {text!r}. Write demonstration or production."
        raise ValidationError(message)


def _time_zone(text: str) -> None:
    if text not in zoneinfo.available_timezones():
        message = f"{text!r} is no time zone. Write a name such as America/Los_Angeles."
        raise ValidationError(message)


def _log_origin(text: str) -> None:
    if not text or "+" in text or any(character.isspace() for character in text):
        message = f"{text!r} cannot name a log. Write a name like agency.example/log."
        raise ValidationError(message)


def _port(number: int) -> None:
    if not 0 <= number <= 65535:
        message = f"{number} is no port. Write a number from 1 to 65535, or 0 for any that is free."
        raise ValidationError(message)


def _oidc(url: str) -> None:
    parts = urlsplit(url)
    if url and not (parts.username and parts.password and parts.hostname):
        message = "is not whole. Write https://CLIENT:SECRET@HOST/PATH."
        raise ValidationError(message)


def _networks(written: list[str]) -> None:
    for each in written:
        try:
            ip_network(each)
        except ValueError:
            message = f"{each!r} is no network. Write 10.1.2.0/24, or several with commas between."
            raise ValidationError(message) from None


def _at_least_one(number: int) -> None:
    if number < 1:
        message = f"{number} would do no work. Write 1 or more."
        raise ValidationError(message)


def _retention(text: str) -> None:
    try:
        read_years(text)
    except ValueError as refused:
        raise ValidationError(str(refused)) from None


def _years(text: str | None) -> dict[str, int]:
    try:
        return read_years(text or "")
    except ValueError:
        return {}  # named in the one refusal


def _not_negative(number: int) -> None:
    if number < 0:
        message = f"{number} is no amount. Write 0 or more."
        raise ValidationError(message)


def _mail(url: str) -> None:
    try:
        mail_settings(url)
    except ValueError as refused:
        raise ValidationError(str(refused)) from None


def _scheme(known: tuple[str, ...]) -> Callable[[str], None]:
    def check(url: str) -> None:
        scheme = urlsplit(url).scheme
        if scheme not in known:
            ways = ", ".join(f"{each}://" for each in known if each)
            message = f"begins with {scheme}://, which nothing here can open. Use {ways}."
            raise ValidationError(message)

    return check
