"""What must hold before the system may start; each refusal says why and what to do."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, register

from compliance.checks import CONFIGURATION
from compliance.project.broker import on_one_machine
from compliance.project.environment import DEMONSTRATION_LOG
from compliance.project.keys import keys_folder
from compliance.project.own_files import open_to_others

SECRET_CHARACTERS = 50


@register(CONFIGURATION)
def one_process_without_servers(**_: Any) -> list[CheckMessage]:
    """SQLite has one writer at a time, and a broker folder one reader."""
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


@register(CONFIGURATION)
def secret_of_its_own(**_: Any) -> list[CheckMessage]:
    """Sessions are as safe as the key that signs them."""
    key = settings.ENVIRONMENT.secret_key
    made = keys_folder(settings.VAR) / "secret"
    if not settings.PRODUCTION:
        return []
    if len(key) < SECRET_CHARACTERS:
        problem = f"SECRET_KEY has {len(key)} characters."
    elif made.exists() and made.read_text() == key:
        problem = "SECRET_KEY is the one that the demonstration made."
    else:
        return []
    return [
        Error(
            problem,
            hint=f"Set it to {SECRET_CHARACTERS} or more random characters that nobody else knows.",
            id="project.E002",
        )
    ]


@register(CONFIGURATION)
def signing_key_at_hand(**_: Any) -> list[CheckMessage]:
    """Without its key nothing that the system vouches for can be signed."""
    if not settings.PRODUCTION:
        return []
    place = settings.SIGNING_KEY
    problem = ""
    if not place:
        problem = "SIGNING_KEY is not set."
    elif Path(place).resolve().is_relative_to(keys_folder(settings.VAR)):
        problem = f"SIGNING_KEY names {place}, where the demonstration keeps its own."
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
    """Without its key and certificate no report leaves the house."""
    if not settings.PRODUCTION:
        return []
    place = settings.REPORT_KEY
    problem = ""
    if not place:
        problem = "REPORT_KEY is not set."
    elif Path(place).resolve().is_relative_to(keys_folder(settings.VAR)):
        problem = f"REPORT_KEY names {place}, where the demonstration keeps its own."
    elif not Path(place).is_file():
        problem = f"REPORT_KEY names {place}, which is no file."
    if not problem:
        return []
    return [
        Error(
            problem,
            hint="Let it name a PKCS#12 file with the key and the certificate that sign reports.",
            id="project.E008",
        )
    ]


@register(CONFIGURATION)
def log_named_once(**_: Any) -> list[CheckMessage]:
    """Checkpoints of two logs under one name would contradict each other."""
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
    """The demonstration's people exist in no agency, and their passwords stand in a file."""
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
    """What the system keeps is behind walls; a file that anybody may open goes round them."""
    if not settings.PRODUCTION:
        return []
    kept = {"VAR": Path(settings.VAR), "SIGNING_KEY": Path(settings.SIGNING_KEY or "none")}
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        kept["DATABASE_URL"] = Path(settings.DATABASES["default"]["NAME"])
    archive = urlsplit(settings.ARCHIVE_URL)
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
def mail_leaves_the_house(**_: Any) -> list[CheckMessage]:
    """In production a mail that ends in a folder reaches nobody."""
    if settings.PRODUCTION and settings.EMAIL_BACKEND.endswith("filebased.EmailBackend"):
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
    """A forged host name must not find its way into links."""
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
    """The web itself speaks plain HTTP and sends every visitor to HTTPS."""
    if settings.PRODUCTION and not settings.ENVIRONMENT.behind_proxy:
        return [
            checks.Warning(
                "Nothing in front of the web is known to end TLS: visitors are redirected forever.",
                hint="Put a proxy in front that sets X-Forwarded-Proto, and BEHIND_PROXY to true.",
                id="project.W001",
            )
        ]
    return []
