"""Secrets that the system itself must read again, encrypted as they are kept."""

from __future__ import annotations

import base64
import hashlib

from cryptography.fernet import Fernet
from django.conf import settings


def sealed(secret: str, use: str) -> str:
    """As kept in the database, for one use: another use cannot open it."""
    return _cipher(use).encrypt(secret.encode()).decode()


def opened(kept: str, use: str) -> str:
    """What was sealed for this use."""
    return _cipher(use).decrypt(kept.encode()).decode()


def _cipher(use: str) -> Fernet:
    """Bound to the installation's secret: a stolen database alone opens nothing."""
    key = hashlib.sha256(use.encode() + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
