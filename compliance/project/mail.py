"""Where mail goes: to a server, or into files that somebody may look at."""

from typing import Any
from urllib.parse import unquote, urlsplit

PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}


def mail_settings(url: str) -> dict[str, Any]:
    """Return Django's settings for a mail URL; `ValueError` says what is wrong with it."""
    parts = urlsplit(url)
    if parts.scheme == "file" and parts.path:
        backend = "django.core.mail.backends.filebased.EmailBackend"
        return {"EMAIL_BACKEND": backend, "EMAIL_FILE_PATH": parts.path}
    if parts.scheme not in PORTS or not parts.hostname:
        message = (
            f"{parts.scheme}:// is no way to send mail. Write smtp+tls://USER:PASSWORD@HOST:587, "
            "smtp+ssl://…, smtp://… or file:///FOLDER."
        )
        raise ValueError(message)
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or PORTS[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtp+ssl",
    }
