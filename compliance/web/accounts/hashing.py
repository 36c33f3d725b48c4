"""Passwords are hashed one after the other in each process of the web.

A hash is meant to be dear. A crowd at the door would have every core make many at once, and each
page would wait beside all of them; in a line as many people sign in, and pages wait beside one.
"""

from __future__ import annotations

from threading import Lock
from typing import ClassVar

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class InTurn(PBKDF2PasswordHasher):
    """Django's own hasher, and its hashes, made in turn."""

    turn: ClassVar[Lock] = Lock()

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Hash when it is this one's turn."""
        with self.turn:
            return super().encode(password, salt, iterations)
