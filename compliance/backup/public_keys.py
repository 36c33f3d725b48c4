"""The public parts of keys: what is needed to believe old signatures when the keys are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.log_keys import trusted_keys

if TYPE_CHECKING:
    from collections.abc import Callable

_registered: dict[str, Callable[[], list[str]]] = {
    "event log": lambda: [str(key) for key in trusted_keys()],
}


def register(whose: str, public: Callable[[], list[str]]) -> None:
    """Have public keys of a room kept in backups; a room does this in `AppConfig.ready`."""
    _registered[whose] = public


def public_keys() -> dict[str, list[str]]:
    """The public keys of every room, as text, by what they sign."""
    return {whose: public() for whose, public in _registered.items()}
