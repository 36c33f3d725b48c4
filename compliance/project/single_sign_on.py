"""Single sign-on by OpenID Connect, from one variable of the environment."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit


def single_sign_on(url: str) -> list[dict[str, Any]]:
    """The issuer of `https://CLIENT:SECRET@HOST/PATH`, as django-allauth wants it."""
    if not url:
        return []
    parts = urlsplit(url)
    place = parts.hostname or ""
    if parts.port:
        place = f"{place}:{parts.port}"
    return [
        {
            "provider_id": "oidc",
            "name": "single sign-on",
            "client_id": unquote(parts.username or ""),
            "secret": unquote(parts.password or ""),
            "settings": {
                "server_url": urlunsplit((parts.scheme, place, parts.path, "", "")),
                "oauth_pkce_enabled": True,
            },
        }
    ]
