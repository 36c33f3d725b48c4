"""Nothing that displays values displays a secret."""

from __future__ import annotations

import json

import pytest
from celery import current_app
from kombu.exceptions import EncodeError

from compliance.project.environment import read_environment
from compliance.project.errors import NamesOnlyFilter
from compliance.project.logs import blanking
from compliance.project.start import environment_of, forget_secrets
from compliance.secret import Secret, SecretUrl

PLANTED = "Planted-Secret-0123456789"
URLS = {
    "DATABASE_URL": f"postgres://user:{PLANTED}@db.test:5432/cards?sslpassword={PLANTED}",
    "BROKER_URL": f"rediss://:{PLANTED}@redis.test:6379/0",
    "ARCHIVE_URL": f"s3://key:{PLANTED}@evidence/archive?region=us-west-2",
    "REPORTS_URL": f"s3://key:{PLANTED}@reports",
    "MAIL_URL": f"smtp+tls://user:{PLANTED}@mail.test:587",
    "TIMESTAMP_URL": f"https://user:{PLANTED}@time.test/tsa",
}
WHOLE = {
    "SECRET_KEY": PLANTED,
    "SECRET_KEY_FALLBACKS": f"{PLANTED}2,{PLANTED}3",
    "SECOND_FACTOR_KEYS": f"{PLANTED}4,{PLANTED}5",
    "WEBHOOK_KEYS": f"{PLANTED}6",
    "REPORT_KEY_PASSPHRASE": PLANTED,
    "REPORT_TOKEN": f"pkcs11:token=t;object=o?pin-value={PLANTED}",
    "METRICS_TOKEN": PLANTED,
    "OIDC_URL": f"https://client:{PLANTED}@issuer.test/",
}


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (URLS | WHOLE).items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("planted")
def test_the_environment_shows_no_secret() -> None:
    environment = read_environment()
    shown = f"{environment} {environment!r}"
    assert PLANTED not in shown
    # It contains what a person needs to find the fault.
    assert "postgres://db.test:5432/cards" in shown
    assert "s3://evidence/archive" in shown
    assert environment.database.reveal() == URLS["DATABASE_URL"]


@pytest.mark.usefixtures("planted")
def test_an_unusable_url_is_refused_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in URLS:
        monkeypatch.setenv(name, f"{PLANTED}:{PLANTED}@host:{PLANTED}/x")
    monkeypatch.setenv("OIDC_URL", f"https://{PLANTED}")
    monkeypatch.setenv("MAIL_URL", f"smtp+tls://user:{PLANTED}/@mail.test:587")
    with pytest.raises(Exception, match="The configuration cannot be used") as refused:
        read_environment()
    assert all(name in str(refused.value) for name in ("BROKER_URL", "MAIL_URL", "OIDC_URL"))
    assert PLANTED not in str(refused.value)
    assert PLANTED.lower() not in str(refused.value)


@pytest.mark.parametrize("kind", [Secret, SecretUrl])
def test_a_secret_becomes_no_task_argument(kind: type[Secret]) -> None:
    with pytest.raises(EncodeError):
        current_app.send_task("any", kwargs={"secret": kind(PLANTED)})


@pytest.mark.usefixtures("planted")
def test_each_part_gets_only_its_own_secrets() -> None:
    got = {
        part: {
            name
            for name, value in environment_of(part).items()
            if name in URLS | WHOLE and PLANTED in value
        }
        for part in ("web", "worker", "beat")
    }
    signing = {"REPORT_KEY_PASSPHRASE", "REPORT_TOKEN", "REPORTS_URL", "TIMESTAMP_URL"}
    answering = {"METRICS_TOKEN", "OIDC_URL", "SECOND_FACTOR_KEYS"}
    assert got["web"] == set(URLS | WHOLE) - signing
    assert got["worker"] == set(URLS | WHOLE) - answering
    assert got["beat"] == {"BROKER_URL"}
    assert environment_of("web")["REPORTS_URL"] == "s3://reports"


@pytest.mark.usefixtures("planted")
def test_processes_that_a_part_starts_get_none(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setattr(os, "environ", dict(os.environ))
    forget_secrets()
    assert [name for name, value in os.environ.items() if PLANTED in value] == []
    assert "VAR" in os.environ


@pytest.mark.parametrize(
    "line",
    [
        f"redis.exceptions.AuthenticationError: {PLANTED}",
        json.dumps({"exception": f"no host in postgres://u:{PLANTED}@h/n"}),
        "OSError: s3://key:an-unknown/secret@bucket/x did not answer",
        json.dumps({"event": 'a "quoted" key'}),
    ],
)
def test_a_log_line_has_its_secrets_blanked(line: str) -> None:
    blanked = blanking([PLANTED, 'a "quoted" key'])(None, "", line)
    for secret in (PLANTED, "an-unknown/secret", "quoted"):
        assert secret not in blanked
    assert "…" in blanked


def test_an_error_report_shows_no_value() -> None:
    reported = NamesOnlyFilter()
    assert reported.get_safe_settings() == {}
    assert list(reported.get_traceback_frame_variables(None, None)) == []


def test_a_secret_compares_and_tells_whether_it_is_set() -> None:
    assert Secret(PLANTED) == Secret(PLANTED)
    assert Secret(PLANTED) != PLANTED
    assert [bool(Secret(each)) for each in ("", PLANTED)] == [False, True]
    assert str(SecretUrl("postgres://user:pa/ss?w@rd@host/name")) == "postgres://host/name"
