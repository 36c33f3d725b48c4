"""A system in production with a secret in every variable, none of which leaks."""

from __future__ import annotations

import contextlib
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from celery import Celery
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from compliance.project.models import Heartbeat
from tests import servers
from tests.databases import ordinary_user
from tests.installation import Installation, wait_until
from tests.project.test_checks import private_key
from tests.project.test_serve import address
from tests.reports.signing.sealing import key_file

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.services
LONG = "-0123456789abcdefghijklmnopqrstuvwxyz-0123456789"
PLANTED = {
    name: f"planted-{name.lower().replace('_', '-')}{LONG}"
    for name in (
        "SECRET_KEY", "SECRET_KEY_FALLBACKS", "SECOND_FACTOR_KEYS", "WEBHOOK_KEYS",
        "REPORT_KEY_PASSPHRASE", "DATABASE_URL", "BROKER_URL", "ARCHIVE_URL", "MAIL_URL",
        "REPORTS_URL", "TIMESTAMP_URL", "METRICS_TOKEN", "OIDC_URL",
    )
}  # fmt: skip
NOBODY_THERE = "127.0.0.1:9"


@pytest.fixture
def production(installation: Installation) -> Iterator[dict[str, str]]:
    """Return a configuration with a planted secret wherever one is possible."""
    var = installation.var
    made = key_file(var).read_bytes()
    report_key = var / "report.pem"
    report_key.touch(0o600)
    report_key.write_bytes(
        load_pem_private_key(made, None).private_bytes(
            Encoding.PEM,
            PrivateFormat.PKCS8,
            BestAvailableEncryption(PLANTED["REPORT_KEY_PASSPHRASE"].encode()),
        )
        + made[made.index(b"-----BEGIN CERTIFICATE") :]
    )
    store = f"evidence/archive?scheme=http&endpoint_override={NOBODY_THERE}"
    with servers.own_redis("--requirepass", PLANTED["BROKER_URL"]) as broker:
        yield PLANTED | {
            "MODE": "production",
            "SIGNING_KEY": private_key(var / "log.pem", Ed25519PrivateKey.generate()),
            "REPORT_KEY": str(report_key),
            "LOG_ORIGIN": "log.example.org",
            "HOSTS": "audit.example.org",
            "BEHIND_PROXY": "true",
            "DATABASE_URL": ordinary_user(
                installation.configuration["DATABASE_URL"], PLANTED["DATABASE_URL"]
            ),
            "BROKER_URL": broker.replace("://", f"://:{PLANTED['BROKER_URL']}@"),
            "ARCHIVE_URL": f"s3://key:{PLANTED['ARCHIVE_URL']}@{store}",
            "REPORTS_URL": f"s3://key:{PLANTED['REPORTS_URL']}@{store}",
            "MAIL_URL": f"smtp+tls://user:{PLANTED['MAIL_URL']}@{NOBODY_THERE}",
            "TIMESTAMP_URL": f"https://user:{PLANTED['TIMESTAMP_URL']}@{NOBODY_THERE}/",
            "OIDC_URL": f"https://client:{PLANTED['OIDC_URL']}@{NOBODY_THERE}/",
        }


def asked(url: str, **headers: str) -> str:
    """Return a page's response, whatever it is."""
    named = {"Host": "audit.example.org", "X-Forwarded-Proto": "https", **headers}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=named)) as answer:
            return str(answer.read().decode() + str(answer.headers))
    except urllib.error.HTTPError as refused:
        return refused.read().decode() + str(refused.headers)


def environments(installation: Installation) -> dict[str, str]:
    """Return the environment of each part's processes, as another process may read it."""
    found: dict[str, str] = {}
    for number in installation.processes():
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{number}/environ").read_text()
            part = next((each[5:] for each in text.split("\0") if each.startswith("PART=")), "")
            found[part] = found.get(part, "") + text
    return found


def named_in(text: str) -> set[str]:
    return {name for name, secret in PLANTED.items() if secret in text}


def test_no_output_of_a_running_system_has_a_secret(
    installation: Installation, production: dict[str, str]
) -> None:
    installation.start("serve", **production)
    site = address(installation)
    wait_until(lambda: {"web", "worker", "beat"} <= environments(installation).keys())
    assert "HTTP_HOST" not in installation.output()  # `serve` uses an allowed host name

    given = {part: named_in(text) for part, text in environments(installation).items()}
    signing = {"REPORT_KEY_PASSPHRASE", "REPORTS_URL", "TIMESTAMP_URL"}
    answering = {"SECOND_FACTOR_KEYS", "METRICS_TOKEN", "OIDC_URL"}
    assert given["web"] == PLANTED.keys() - signing
    assert given["worker"] == PLANTED.keys() - answering
    assert given["beat"] == {"BROKER_URL"}

    Heartbeat.objects.all().delete()
    wait_until(Heartbeat.objects.exists)  # beat and worker are running
    # A control message once had each worker answer with its settings, the secret key among them.
    control = Celery(broker=production["BROKER_URL"]).control
    for asking in (control.inspect(timeout=3).conf, control.inspect(timeout=3).ping):
        assert asking() is None

    answers = [
        asked(site + path, Authorization=f"Bearer {PLANTED['METRICS_TOKEN']}")
        for path in ("/account/sign-in/", "/metrics", "/no/page")
    ]
    assert "compliance_condition" in answers[1]
    with psycopg.connect(installation.configuration["DATABASE_URL"]) as administrator:
        for table in ("django_session", "compliance_waiting"):
            administrator.execute(f"ALTER TABLE {table} RENAME TO {table}_away")
    failed = asked(f"{site}/", Cookie="__Host-session=guess")
    wait_until(lambda: "compliance_waiting" in installation.output())
    assert "Traceback" not in failed
    unsafe = {**production, "HOSTS": "*", "TIMESTAMP_URL": f"http://{PLANTED['OIDC_URL']}@t.test/"}
    shown = installation.manage(
        "shell",
        "-c",
        "import ctypes; from django.conf import settings; print(settings.ENVIRONMENT)\n"
        "print('dumpable', ctypes.CDLL(None).prctl(3)); raise OSError(settings.ARCHIVE_URL)",
        **production,
    )
    assert "dumpable 0" in shown.stdout
    checked = installation.manage("check", **unsafe)
    assert "project.E015" in checked.stderr
    outputs = [installation.output(), shown.stdout, shown.stderr, checked.stderr, failed, *answers]
    assert [named_in(each) for each in outputs if named_in(each)] == []
    assert "not safe to start" not in installation.output()
