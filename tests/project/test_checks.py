"""What keeps the system from starting, each with the sentence that says why."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.installation import Installation

pytestmark = pytest.mark.anywhere
SECRET = "k8Jq2vR7wXz1Lm4Np9Tb6Yc3Hd5Gf0Sa" * 2


def private_key(place: Path, key: ed25519.Ed25519PrivateKey | rsa.RSAPrivateKey) -> str:
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    place.write_bytes(pem)
    place.chmod(0o600)
    return str(place)


@pytest.fixture
def production(installation: Installation) -> dict[str, str]:
    """A configuration that may start in production."""
    key = private_key(installation.var / "log.pem", ed25519.Ed25519PrivateKey.generate())
    return {
        "MODE": "production",
        "SECRET_KEY": SECRET,
        "SIGNING_KEY": key,
        "REPORT_KEY": key,
        "LOG_ORIGIN": "log.example.org",
        "MAIL_URL": "smtp+tls://user:password@mail.example.org:587",
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
            "SIGNING_KEY": ("", "SIGNING_KEY is not set."),
            "REPORT_KEY": ("", "REPORT_KEY is not set."),
            "MAIL_URL": ("file:///tmp/mail", "Mails would be kept as files and reach nobody."),
            "HOSTS": ("*", "HOSTS lets every name through."),
        },
        {
            "SECRET_KEY": ("short", "SECRET_KEY has 5 characters."),
            "SIGNING_KEY": ("/nowhere/key.pem", "No such file or directory."),
            "REPORT_KEY": ("/nowhere/key.p12", "which is no file."),
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
    # Each by itself keeps it from starting: nothing of it is only said for information.
    keeps = checked.stderr.partition("INFOS:")[0]
    assert [said for _, said in refused.values() if said not in keeps] == []


def test_production_refuses_the_keys_of_the_demonstration(
    installation: Installation, production: dict[str, str]
) -> None:
    assert installation.manage("check").returncode == 0  # makes them
    keys = installation.var / "keys"
    secret = installation.manage(
        "check", **{**production, "SECRET_KEY": (keys / "secret").read_text()}
    )
    assert "SECRET_KEY is the one that the demonstration made." in secret.stderr
    for variable, name in (("SIGNING_KEY", "signing.pem"), ("REPORT_KEY", "reports.pem")):
        made = installation.manage("check", **{**production, variable: str(keys / name)})
        assert f"{variable} names" in made.stderr
        assert "where the demonstration keeps its own" in made.stderr


def test_production_refuses_a_folder_in_which_a_demonstration_was_loaded(
    installation: Installation, production: dict[str, str]
) -> None:
    assert installation.manage("load_demonstration").returncode == 0
    checked = installation.manage("check", **production)
    assert checked.returncode == 1
    assert "whose invented people could sign in" in checked.stderr


def test_production_refuses_an_archive_that_everybody_on_the_machine_may_open(
    installation: Installation, production: dict[str, str]
) -> None:
    # not in pytest's own folder, which lets nobody else through to what lies in it
    with TemporaryDirectory(dir="/var/tmp") as place:
        Path(place).chmod(0o755)
        checked = installation.manage("check", **{**production, "ARCHIVE_URL": place})
        assert checked.returncode == 1
        assert f"ARCHIVE_URL is {place}, which everybody on this machine may open" in checked.stderr
        Path(place).chmod(0o750)
        checked = installation.manage("check", **{**production, "ARCHIVE_URL": place})
        assert checked.returncode == 0, checked.stderr


def test_what_a_running_system_leaves_behind_is_its_owners_alone(
    installation: Installation,
) -> None:
    var = installation.var / "fresh"
    database, archive = installation.var / "own.sqlite3", installation.var / "archive"
    own = {"VAR": var, "DATABASE_URL": f"sqlite:///{database}", "ARCHIVE_URL": archive}
    before = os.umask(0o022)
    try:
        for command in ("migrate", "load_demonstration"):
            done = installation.manage(command, **{key: str(own[key]) for key in own})
            assert done.returncode == 0, done.stderr
    finally:
        os.umask(before)
    made = [database, var, archive, var / "keys" / "secret"]
    assert [place for place in made if place.stat().st_mode & 0o007] == []
    assert var.stat().st_mode & 0o777 == 0o700


def test_a_signing_key_of_another_kind_is_refused(
    installation: Installation, production: dict[str, str]
) -> None:
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    place = private_key(installation.var / "rsa.pem", other)
    checked = installation.manage("check", **{**production, "SIGNING_KEY": place})
    assert "holds a key of another kind" in checked.stderr


def test_several_processes_without_servers_are_refused_in_every_mode(
    installation: Installation,
) -> None:
    checked = installation.manage(
        "check", WORKERS="2", DATABASE_URL="sqlite:////tmp/none", BROKER_URL="filesystem://"
    )
    assert checked.returncode == 1
    assert "WORKERS is 2, but the database is SQLite" in checked.stderr
    assert "and the broker is a folder" in checked.stderr
