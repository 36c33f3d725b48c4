"""The configuration: every variable the system reads, its meaning, and its allowed values.

It is read once, when the settings are loaded. An invalid value stops the start with a sentence that
names the variable and a valid value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints

from django.core.exceptions import ImproperlyConfigured
from environs import Env, EnvValidationError

from compliance.project import valid
from compliance.project.valid import PARTS
from compliance.secret import Secret, SecretUrl

ROOT = Path(__file__).resolve().parents[2]
BROKERS = ("filesystem", "redis", "rediss", "redis+socket")
DEMONSTRATION_LOG = "demonstration.invalid/log"
ARCHIVES = ("", "file", "s3")


class Variable(NamedTuple):
    """One variable for the reference in `docs/`, and the parts that use it."""

    name: str
    says: str
    default: str
    parts: tuple[str, ...] = PARTS


@dataclass(frozen=True, kw_only=True)
class Environment:
    """The environment, parsed and checked."""

    mode: Annotated[
        str,
        Variable(
            "MODE",
            "`demonstration` makes its own keys and invented data; `production` refuses both.",
            "`demonstration`",
        ),
    ]
    part: Annotated[
        str,
        Variable(
            "PART",
            "`web`, `worker` or `beat` on a machine that runs only this part: then only the "
            "variables it uses are required. `serve` sets it for each part that it starts.",
            "every part",
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
        Secret,
        Variable(
            "SECRET_KEY",
            "Secret that signs sessions: 50 random characters or more.",
            "a demonstration makes its own in `VAR/keys/`; production needs one",
            ("web", "worker"),
        ),
    ]
    secret_key_fallbacks: Annotated[
        list[Secret],
        Variable(
            "SECRET_KEY_FALLBACKS",
            "Earlier values of `SECRET_KEY`, separated by commas, while sessions and waiting "
            "events made under them are still accepted.",
            "none",
            ("web", "worker"),
        ),
    ]
    second_factor_keys: Annotated[
        list[Secret],
        Variable(
            "SECOND_FACTOR_KEYS",
            "Keys that encrypt the secrets of second factors, separated by commas, newest first: "
            "50 random characters or more, without a comma. The first encrypts, all decrypt.",
            "a demonstration makes its own in `VAR/keys/`; production needs one",
            ("web",),
        ),
    ]
    webhook_keys: Annotated[
        list[Secret],
        Variable(
            "WEBHOOK_KEYS",
            "Keys that encrypt the secrets of webhooks, written like `SECOND_FACTOR_KEYS`.",
            "a demonstration makes its own in `VAR/keys/`; production needs one",
            ("web", "worker"),
        ),
    ]
    backup_key: Annotated[
        Secret,
        Variable(
            "BACKUP_KEY",
            "Key that encrypts backups: 50 random characters or more. Keep it elsewhere: without "
            "it, nobody can restore them.",
            "backups are not encrypted",
            ("worker",),
        ),
    ]
    signing_key: Annotated[
        str,
        Variable(
            "SIGNING_KEY",
            "PEM file with the Ed25519 private key that signs what the system vouches for; while "
            "keys change, the new and the old one in one file, and both sign.",
            "a demonstration makes its own in `VAR/keys/`; production needs one",
            ("web", "worker"),
        ),
    ]
    signing_token: Annotated[
        Secret,
        Variable(
            "SIGNING_TOKEN",
            "Where a token (PKCS#11) holds the Ed25519 key that signs the event log, as "
            "`pkcs11:token=TOKEN;object=KEY?module-path=/usr/lib/…/MODULE.so`; `SIGNING_KEY` is "
            "then a file with its public key, as `/log/key` publishes it.",
            "the key is in the file `SIGNING_KEY`",
            ("web", "worker"),
        ),
    ]
    signing_token_pin: Annotated[
        Secret,
        Variable("SIGNING_TOKEN_PIN", "PIN of `SIGNING_TOKEN`.", "none", ("web", "worker")),
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
            ("worker",),
        ),
    ]
    report_key_passphrase: Annotated[
        Secret,
        Variable(
            "REPORT_KEY_PASSPHRASE",
            "Passphrase of the file `REPORT_KEY`, or the PIN of `REPORT_TOKEN`.",
            "none",
            ("worker",),
        ),
    ]
    report_token: Annotated[
        Secret,
        Variable(
            "REPORT_TOKEN",
            "Where a token holds the key that signs reports, as "
            "`pkcs11:token=TOKEN;object=KEY?module-path=/usr/lib/…/MODULE.so`; `REPORT_KEY` is "
            "then a PEM file of its certificate and of those that issued it.",
            "the key is in the file",
            ("worker",),
        ),
    ]
    report_certificates: Annotated[
        str,
        Variable(
            "REPORT_CERTIFICATES",
            "PEM file with the certificate of the key that signs reports, for a web without "
            "`REPORT_KEY`.",
            "`serve` makes it from `REPORT_KEY` for its web",
            ("web",),
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
        SecretUrl,
        Variable(
            "TIMESTAMP_URL",
            "Time-stamping authority (RFC 3161) that vouches for when a report was signed.",
            "signatures without a timestamp",
            ("worker",),
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
        SecretUrl,
        Variable(
            "DATABASE_URL",
            "`postgres://USER:PASSWORD@HOST:PORT/NAME` or `sqlite:////FILE`.",
            "SQLite, in `VAR/database.sqlite3`",
            ("web", "worker"),
        ),
    ]
    broker: Annotated[
        SecretUrl,
        Variable(
            "BROKER_URL",
            "`redis://HOST:PORT/NUMBER`, `redis+socket:///FILE` or `filesystem://`.",
            "`filesystem://`, in `VAR/broker`, for one worker",
        ),
    ]
    archive: Annotated[
        SecretUrl,
        Variable(
            "ARCHIVE_URL",
            "A folder, or `s3://BUCKET/PREFIX?region=…&endpoint_override=HOST:PORT&scheme=https`.",
            "`VAR/archive`",
            ("web", "worker"),
        ),
    ]
    mail: Annotated[
        SecretUrl,
        Variable(
            "MAIL_URL",
            "`smtp+tls://USER:PASSWORD@HOST:587`, or `file:///FOLDER` that keeps mails as files.",
            "files in `VAR/mail`; refused in production",
            ("web", "worker"),
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
        SecretUrl,
        Variable(
            "REPORTS_URL",
            "Where reports are put for other systems to fetch, in a folder for each party: a "
            "folder, or `s3://…` as for `ARCHIVE_URL`.",
            "nowhere",
            ("worker",),
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
    siem: Annotated[
        str,
        Variable(
            "SIEM_URL",
            "`syslog+tls://HOST:6514` of a SIEM. It gets every event in the log as JSON by syslog "
            "(RFC 5424) over TLS (RFC 5425), in log order, at least once.",
            "events are not shipped",
        ),
    ]
    siem_ca: Annotated[
        str,
        Variable(
            "SIEM_CA",
            "PEM file of the certificate authority for the SIEM.",
            "the authorities that this machine trusts",
        ),
    ]
    siem_personal_data: Annotated[
        bool,
        Variable(
            "SIEM_PERSONAL_DATA",
            "`true` also ships names, addresses and other personal data in events.",
            "`false`",
        ),
    ]
    witnesses: Annotated[
        str,
        Variable(
            "WITNESSES",
            "File that names the witnesses of the event log and how many of them must cosign, as "
            "C2SP `tlog-policy` describes it.",
            "nobody is asked to cosign",
        ),
    ]
    metrics_token: Annotated[
        Secret,
        Variable(
            "METRICS_TOKEN",
            "What Prometheus sends as bearer token to `/metrics`.",
            "open in a demonstration, closed in production",
            ("web",),
        ),
    ]
    oidc: Annotated[
        Secret,
        Variable(
            "OIDC_URL",
            "Single sign-on by OpenID Connect: `https://CLIENT:SECRET@HOST/PATH` of the issuer. "
            "People still come by invitation; it signs in those whose verified address is known.",
            "no single sign-on",
            ("web",),
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
    second_factor: Annotated[
        str,
        Variable(
            "SECOND_FACTOR",
            "Who needs a second factor to sign in: `roles` (commission roles, agency reviewers "
            "and compliance managers) or `everyone`.",
            "`roles`",
        ),
    ]
    signatures_required_from: Annotated[
        str,
        Variable(
            "SIGNATURES_REQUIRED_FROM",
            "First day (UTC), as `2026-12-01`, on which decisions, releases, approvals, law values "
            "and role grants need the personal signature of a passkey. `verify all` then names "
            "each that has none.",
            "people who have a passkey sign, others do not",
        ),
    ]
    second_approval_above: Annotated[
        int,
        Variable(
            "SECOND_APPROVAL_ABOVE",
            "Cents: closing an issue with a larger amount takes a second approval.",
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
            "Networks, separated by commas, that webhooks may reach in addition to the internet. "
            "Anyone who can add a webhook can reach every machine in them.",
            "none",
        ),
    ]

    def uses(self, name: str) -> bool:
        """Return whether this process uses a variable."""
        return not self.part or any(
            self.part in each.parts for each in variables() if each.name == name
        )

    def secrets(self) -> set[str]:
        """Return every configured secret; none of them may appear in any output."""
        found: set[str] = set()
        for field in fields(self):
            value = getattr(self, field.name)
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, Secret):
                    found |= each.parts()
        return found

    @property
    def production(self) -> bool:
        """Return whether this installation is for real filings and real money."""
        return self.mode == "production"


def typed_variables() -> list[tuple[Any, Variable]]:
    """Return every variable with its type, in the order of the reference."""
    hints = get_type_hints(Environment, include_extras=True).values()
    return [(hint.__origin__, hint.__metadata__[0]) for hint in hints]


def variables() -> list[Variable]:
    """Return every variable, in the order of the reference."""
    return [variable for _, variable in typed_variables()]


def read_environment() -> Environment:
    """Read the process's environment; report all invalid values in one error."""
    env = Env(eager=False)
    var = Path(env.str("VAR", "") or ROOT / "var").expanduser().resolve()
    database = f"sqlite:///{var / 'database.sqlite3'}"
    env.dj_db_url("DATABASE_URL", database)  # raises if it names no database
    values: dict[str, Any] = {
        "part": env.str("PART", "", validate=valid.part),
        "mode": env.str("MODE", "demonstration", validate=valid.mode),
        "var": var,
        "agency": env.str("AGENCY_NAME", "Gambling Commission"),
        "time_zone": env.str("TIME_ZONE", "America/Los_Angeles", validate=valid.time_zone),
        "hosts": env.list("HOSTS", ["localhost", "127.0.0.1", "[::1]"]),
        "port": env.int("PORT", 8000, validate=valid.port),
        "behind_proxy": env.bool("BEHIND_PROXY", default=False),
        "secret_key": Secret(env.str("SECRET_KEY", "")),
        "secret_key_fallbacks": [*map(Secret, env.list("SECRET_KEY_FALLBACKS", []))],
        "second_factor_keys": [*map(Secret, env.list("SECOND_FACTOR_KEYS", []))],
        "webhook_keys": [*map(Secret, env.list("WEBHOOK_KEYS", []))],
        "backup_key": Secret(env.str("BACKUP_KEY", "")),
        "signing_key": env.str("SIGNING_KEY", ""),
        "signing_token": Secret(env.str("SIGNING_TOKEN", "")),
        "signing_token_pin": Secret(env.str("SIGNING_TOKEN_PIN", "")),
        "retired_keys": env.str("RETIRED_KEYS", ""),
        "log_origin": env.str("LOG_ORIGIN", DEMONSTRATION_LOG, validate=valid.log_origin),
        "report_key": env.str("REPORT_KEY", ""),
        "report_key_passphrase": Secret(env.str("REPORT_KEY_PASSPHRASE", "")),
        "report_token": Secret(env.str("REPORT_TOKEN", "")),
        "report_certificates": env.str("REPORT_CERTIFICATES", ""),
        "retired_certificates": env.str("RETIRED_CERTIFICATES", ""),
        "timestamp_certificates": env.str("TIMESTAMP_CERTIFICATES", ""),
        "timestamp_url": SecretUrl(
            env.str("TIMESTAMP_URL", "", validate=valid.scheme(("", "http", "https")))
        ),
        "database": SecretUrl(env.str("DATABASE_URL", database)),
        "broker": SecretUrl(env.str("BROKER_URL", "filesystem://", validate=valid.scheme(BROKERS))),
        "archive": SecretUrl(
            env.str("ARCHIVE_URL", str(var / "archive"), validate=valid.scheme(ARCHIVES))
        ),
        "mail": SecretUrl(env.str("MAIL_URL", f"file://{var / 'mail'}", validate=valid.mail)),
        "mail_from": env.str("MAIL_FROM", "compliance@localhost"),
        "site": env.str("SITE_URL", "", validate=valid.scheme(("", "http", "https"))).rstrip("/"),
        "reports": SecretUrl(env.str("REPORTS_URL", "", validate=valid.scheme(ARCHIVES))),
        "reading_room": env.bool(
            "READING_ROOM", default=env.str("MODE", "demonstration") == "demonstration"
        ),
        "clamd": env.str("CLAMD_URL", "", validate=valid.scheme(("", "tcp", "unix"))),
        "witnesses": env.str("WITNESSES", "", validate=valid.witnesses),
        "siem": env.str("SIEM_URL", "", validate=valid.siem),
        "siem_ca": env.str("SIEM_CA", ""),
        "siem_personal_data": env.bool("SIEM_PERSONAL_DATA", default=False),
        "metrics_token": Secret(env.str("METRICS_TOKEN", "")),
        "oidc": Secret(env.str("OIDC_URL", "", validate=valid.oidc)),
        "retention": valid.years(env.str("RETENTION", "", validate=valid.retention)),
        "second_factor": env.str("SECOND_FACTOR", "roles", validate=valid.second_factor),
        "signatures_required_from": env.str(
            "SIGNATURES_REQUIRED_FROM", "", validate=valid.day_or_nothing
        ),
        "second_approval_above": env.int(
            "SECOND_APPROVAL_ABOVE", 100_000, validate=valid.not_negative
        ),
        "workers": env.int("WORKERS", 1, validate=valid.at_least_one),
        "web_processes": env.int("WEB_PROCESSES", 1, validate=valid.at_least_one),
        "web_threads": env.int("WEB_THREADS", 4, validate=valid.at_least_one),
        "api_rate": env.int("API_RATE", 600, validate=valid.at_least_one),
        "webhook_networks": env.list("WEBHOOK_NETWORKS", [], validate=valid.networks),
    }
    try:
        env.seal()
    except EnvValidationError as refused:
        raise ImproperlyConfigured(_sentences(refused)) from None
    return Environment(**values)


def _sentences(refused: EnvValidationError) -> str:
    lines = ["The configuration cannot be used:"]
    found = refused.error_messages
    found = found if isinstance(found, Mapping) else {"": found}
    lines += [f"  {name}: {each}" for name, messages in found.items() for each in messages]
    lines.append("docs/reference/configuration.md lists every variable.")
    return "\n".join(lines)
