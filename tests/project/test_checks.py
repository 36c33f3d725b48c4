"""What keeps the system from starting, each with the sentence that explains it."""

import json
import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.db import connection
from pytest_django import Settings

from compliance.project.checks import encrypted_connections, key_files_kept_private, no_superuser
from compliance.project.environment import read_environment, variables
from tests.installation import ROOT, Installation
from tests.reports.signing.sealing import key_file

pytestmark = pytest.mark.anywhere
REMOTE = {
    "DATABASE_URL": "postgres://user:opensesame@db.example.org/cards?sslmode=verify-full",
    "BROKER_URL": "rediss://:opensesame@redis.example.org:6379/0?ssl_cert_reqs=required",
    "MAIL_URL": "smtp+ssl://user:opensesame@mail.example.org",
    "ARCHIVE_URL": "s3://key:secret@evidence/archive?region=us-west-2",
    "REPORTS_URL": "s3://key:secret@reports?endpoint_override=s3.example.org:9000&scheme=https",
    "TIMESTAMP_URL": "https://time.example.org",
}
LOCAL = {
    "DATABASE_URL": "postgres://user:opensesame@%2Frun%2Fpostgresql/cards",
    "BROKER_URL": "redis://127.0.0.1:6379/0",
    "MAIL_URL": "smtp://user:opensesame@localhost",
    "ARCHIVE_URL": "s3://key:secret@evidence?endpoint_override=[::1]:9000&scheme=http",
    "TIMESTAMP_URL": "http://127.0.0.1:318",
}
PARTS_OF = {each.name: each.parts for each in variables()}
SECRET = "k8Jq2vR7wXz1Lm4Np9Tb6Yc3Hd5Gf0Sa" * 2


def private_key(place: Path, key: ed25519.Ed25519PrivateKey | rsa.RSAPrivateKey) -> str:
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    place.write_bytes(pem)
    place.chmod(0o600)
    return str(place)


@pytest.fixture
def production(installation: Installation) -> dict[str, str]:
    """Return a configuration that may start in production."""
    key = private_key(installation.var / "log.pem", ed25519.Ed25519PrivateKey.generate())
    report_key = key_file(installation.var)
    report_key.chmod(0o600)
    return {
        "MODE": "production",
        "SECRET_KEY": SECRET,
        "SECOND_FACTOR_KEYS": f"2{SECRET}",
        "WEBHOOK_KEYS": f"3{SECRET},4{SECRET}",
        "SIGNING_KEY": key,
        "REPORT_KEY": str(report_key),
        "LOG_ORIGIN": "log.example.org",
        "MAIL_URL": "smtp+tls://user:opensesame@mail.example.org:587",
        "HOSTS": "audit.example.org",
        "BEHIND_PROXY": "true",
        "METRICS_TOKEN": "token",
    }


def test_a_whole_configuration_is_let_through(
    installation: Installation, production: dict[str, str]
) -> None:
    checked = installation.manage("check", "--fail-level=WARNING", **production)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    "refused",
    [
        {
            "SECRET_KEY": ("", "SECRET_KEY has 0 characters."),
            "SECOND_FACTOR_KEYS": ("", "SECOND_FACTOR_KEYS has 0 characters."),
            "WEBHOOK_KEYS": (f"{SECRET},old", "WEBHOOK_KEYS has 3 characters."),
            "SIGNING_KEY": ("", "SIGNING_KEY is not set."),
            "REPORT_KEY": ("", "REPORT_KEY is not set."),
            "MAIL_URL": ("file:///tmp/mail", "Mails would be kept as files and reach nobody."),
            "HOSTS": ("*", "HOSTS lets every name through."),
        },
        {
            "SECRET_KEY": ("short", "SECRET_KEY has 5 characters."),
            "WEBHOOK_KEYS": (f"2{SECRET}", "WEBHOOK_KEYS begins with a key that is also used"),
            "SIGNING_KEY": ("/nowhere/key.pem", "No such file or directory."),
            "REPORT_KEY": ("/nowhere/key.p12", "No such file or directory."),
            "BEHIND_PROXY": ("false", "Nothing in front of the web is known to end TLS"),
        },
    ],
    ids=["not set", "set to what cannot be"],
)
def test_production_refuses_what_is_not_safe(
    installation: Installation, production: dict[str, str], refused: dict[str, tuple[str, str]]
) -> None:
    changed = {variable: value for variable, (value, _) in refused.items()}
    checked = installation.manage("check", "--fail-level=WARNING", **{**production, **changed})
    assert checked.returncode == 1
    # Each by itself prevents the start: none of it is merely informational.
    keeps = checked.stderr.partition("INFOS:")[0]
    assert [data for _, data in refused.values() if data not in keeps] == []


def test_production_refuses_the_keys_of_the_demonstration(
    installation: Installation, production: dict[str, str]
) -> None:
    assert installation.manage("check").returncode == 0  # creates them
    keys = installation.var / "keys"
    theirs = {"SIGNING_KEY": str(keys / "signing.pem"), "REPORT_KEY": str(keys / "reports.pem")}
    secret = (keys / "secret").read_text()
    checked = installation.manage("check", **{**production, **theirs, "SECRET_KEY": secret})
    assert "SECRET_KEY was made by a demonstration." in checked.stderr
    for variable in theirs:
        assert f"{variable} names" in checked.stderr
        assert "demonstration" in checked.stderr.split(f"{variable} names", 1)[1].split(")")[0]


def test_demonstration_is_private_and_not_production(
    installation: Installation, production: dict[str, str]
) -> None:
    var = installation.var / "fresh"
    database, archive = installation.var / "own.sqlite3", installation.var / "archive"
    own = {"VAR": str(var), "DATABASE_URL": f"sqlite:///{database}", "ARCHIVE_URL": str(archive)}
    before = os.umask(0o022)
    try:
        for command in ("migrate", "load_demonstration"):
            done = installation.manage(command, **own)
            assert done.returncode == 0, done.stderr
    finally:
        os.umask(before)
    made = [database, var, archive, var / "keys" / "secret"]
    assert [place for place in made if place.stat().st_mode & 0o007] == []
    assert var.stat().st_mode & 0o777 == 0o700
    checked = installation.manage("check", **{**production, **own})
    assert checked.returncode == 1
    assert "whose invented people could sign in" in checked.stderr


def test_production_refuses_a_world_readable_archive(
    installation: Installation, production: dict[str, str]
) -> None:
    # not in pytest's own folder, which others can't enter
    with TemporaryDirectory(dir="/var/tmp") as place:
        Path(place).chmod(0o755)
        checked = installation.manage("check", **{**production, "ARCHIVE_URL": place})
        assert checked.returncode == 1
        assert f"ARCHIVE_URL is {place}, which everybody on this machine may open" in checked.stderr
        Path(place).chmod(0o750)
        checked = installation.manage("check", **{**production, "ARCHIVE_URL": place})
        assert checked.returncode == 0, checked.stderr


def test_a_signing_key_of_another_kind_is_refused(
    installation: Installation, production: dict[str, str]
) -> None:
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    place = private_key(installation.var / "rsa.pem", other)
    checked = installation.manage("check", **{**production, "SIGNING_KEY": place})
    assert "holds a key of another kind" in checked.stderr


def test_several_processes_need_servers_in_every_mode(
    installation: Installation,
) -> None:
    checked = installation.manage(
        "check", WORKERS="2", DATABASE_URL="sqlite:////tmp/none", BROKER_URL="filesystem://"
    )
    assert checked.returncode == 1
    assert "WORKERS is 2, but the database is SQLite" in checked.stderr
    assert "and the broker is a folder" in checked.stderr


ASK = """
import json
from django.conf import settings
from django.test import Client
answer = Client().get("/healthz", secure=True, headers={"host": "audit.example.org"})
print(json.dumps([answer["Strict-Transport-Security"]] + [
    [getattr(settings, f"{kind}_COOKIE_{part}") for part in ("NAME", "SECURE", "PATH", "DOMAIN")]
    for kind in ("SESSION", "CSRF")
]))
"""


def test_production_cookies_are_bound_to_their_host(
    installation: Installation, production: dict[str, str]
) -> None:
    """`__Host-` requires Secure, the path / and no domain (RFC 6265bis, 4.1.3.2)."""
    asked = installation.manage("shell", "-v0", "-c", ASK, **production)
    assert asked.returncode == 0, asked.stderr
    assert json.loads(asked.stdout) == [
        "max-age=31536000; includeSubDomains",
        ["__Host-session", True, "/", None],
        ["__Host-csrf", True, "/", None],
    ]


def refusals(monkeypatch: pytest.MonkeyPatch, settings: Settings, **given: str) -> dict[str, str]:
    for variable, value in given.items():
        monkeypatch.setenv(variable, value)
    settings.ENVIRONMENT, settings.PRODUCTION = read_environment(), True
    found = [*encrypted_connections(), *key_files_kept_private()]
    return {str(each.id): each.msg for each in found}


@pytest.mark.parametrize("good", [REMOTE, LOCAL], ids=["remote", "local"])
def test_protected_connections_are_accepted(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, good: dict[str, str]
) -> None:
    assert refusals(monkeypatch, settings, **good) == {}


@pytest.mark.parametrize(
    ("variable", "value", "check", "says"),
    [
        ("BROKER_URL", "redis://:opensesame@redis.example.org", "E011", "without a password, or"),
        ("BROKER_URL", "rediss://redis.example.org?ssl_cert_reqs=required", "E011", "a password"),
        # Celery would encrypt but accept any certificate.
        (
            "BROKER_URL",
            "rediss://:opensesame@redis.example.org",
            "E011",
            "verifies its certificate",
        ),
        ("DATABASE_URL", "postgres://u:p@db.example.org/cards", "E012", "db.example.org"),
        ("DATABASE_URL", "postgres://u:p@localhost,db2/n?sslmode=require", "E012", "localhost,db2"),
        ("DATABASE_URL", "postgres:///n?hostaddr=192.0.2.7", "E012", "192.0.2.7"),
        ("MAIL_URL", "smtp://user:opensesame@mail.example.org", "E013", "unencrypted"),
        ("ARCHIVE_URL", "s3://k:s@evidence?scheme=http", "E014", "ARCHIVE_URL names an S3 store"),
        ("REPORTS_URL", "s3://r?endpoint_override=http://s3.test", "E014", "REPORTS_URL names"),
        ("TIMESTAMP_URL", "http://time.example.org", "E015", "time.example.org over http"),
    ],
)
def test_a_connection_in_the_clear_is_refused(
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    variable: str,
    value: str,
    check: str,
    says: str,
) -> None:
    refused = refusals(monkeypatch, settings, **{**REMOTE, variable: value})
    assert list(refused) == [f"project.{check}"]
    assert says in refused[f"project.{check}"]
    assert "opensesame" not in "".join(refused.values())


def test_a_key_file_that_others_can_open_is_refused(
    installation: Installation, production: dict[str, str]
) -> None:
    for variable, mode in (("SIGNING_KEY", 0o640), ("REPORT_KEY", 0o604)):
        Path(production[variable]).chmod(mode)
    checked = installation.manage("check", **production)
    assert "project.E010) SIGNING_KEY names the key file" in checked.stderr
    assert "project.E010) REPORT_KEY names the key file" in checked.stderr
    assert f"chmod 600 {production['SIGNING_KEY']}" in checked.stderr


@pytest.mark.django_db
@pytest.mark.services
def test_a_superuser_of_the_database_is_refused(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PRODUCTION = True
    (refused,) = no_superuser()
    assert refused.id == "project.E016"
    assert "DATABASE_URL signs in as postgres, who is a database superuser" in refused.msg
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE ordinary")
        # As at sign-in: SET ROLE alone would leave a way back.
        cursor.execute("SET SESSION AUTHORIZATION ordinary")
        assert no_superuser() == []
        cursor.execute("RESET SESSION AUTHORIZATION")


def test_a_part_is_asked_only_for_what_it_uses(
    installation: Installation, production: dict[str, str]
) -> None:
    for part in ("web", "worker", "beat"):
        own = {key: value for key, value in production.items() if part in PARTS_OF[key]}
        checked = installation.manage("check", PART=part, **own)
        assert checked.returncode == 0, (part, checked.stderr)


def test_every_check_has_a_number_of_its_own() -> None:
    sources = [
        place.read_text()
        for room in ("compliance", "audits", "reports")
        for place in (ROOT / room).rglob("*.py")
    ]
    found = re.findall(r"\b((?:project|compliance|audits|reports)\.[EW]\d{3})\b", "".join(sources))
    assert sorted(found) == sorted(set(found))
    assert len(found) > 15
