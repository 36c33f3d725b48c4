"""The destination of email: a server, or files for inspection."""

from typing import Any
from urllib.parse import unquote, urlsplit

PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}


def scheme_of(url: str) -> str:
    """Return the part before `://`; text before a single colon may be a user name or a password."""
    scheme, mark, _ = url.partition("://")
    return scheme if mark else ""


def mail_settings(url: str) -> dict[str, Any]:
    """Return Django's settings for a mail URL; raise `ValueError` with what is wrong with it."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:  # its message may repeat part of the password
        message = "has a port that is no number. In a password write / as %2F, : as %3A, @ as %40."
        raise ValueError(message) from None
    if parts.scheme == "file" and parts.path:
        backend = "django.core.mail.backends.filebased.EmailBackend"
        return {"EMAIL_BACKEND": backend, "EMAIL_FILE_PATH": parts.path}
    if parts.scheme not in PORTS or not parts.hostname:
        message = (
            f"{scheme_of(url) or 'This'}:// is no way to send mail. "
            "Write smtp+tls://USER:PASSWORD@HOST:587, smtp+ssl://…, smtp://… or file:///FOLDER."
        )
        raise ValueError(message)
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or PORTS[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtp+ssl",
    }
