"""Configured secrets, hidden by their type wherever a value is shown."""

from __future__ import annotations

import os
from urllib.parse import unquote

HIDDEN = "***"


class Secret:
    """Text that is never shown: code that uses it calls `reveal()`.

    It is not a `str`, so that code that forgets to call it fails instead of using or showing it.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text itself."""
        return self._text

    def parts(self) -> set[str]:
        """Return the texts that no output may contain."""
        return {self._text} - {""}

    def __str__(self) -> str:
        return HIDDEN if self._text else ""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


class SecretUrl(Secret):
    """A URL or a folder, shown without its credentials and query: either may be secret."""

    __slots__ = ()

    def parts(self) -> set[str]:
        """Return the password, as written and as decoded."""
        password = self._credentials()[0].partition(":")[2]
        return {password, unquote(password)} - {""}

    def __str__(self) -> str:
        scheme, mark, _ = self._text.partition("://")
        return f"{scheme}{mark}{self._credentials()[1].partition('?')[0]}" if mark else self._text

    def _credentials(self) -> tuple[str, str]:
        """Split at the last `@`: a password that was not percent-encoded may contain any other."""
        credentials, _, address = self._text.partition("://")[2].rpartition("@")
        return credentials, address


def revealed(setting: Secret | str) -> str:
    """Return the text of a setting that may be plain text, as in tests."""
    return setting.reveal() if isinstance(setting, Secret) else setting


forgotten: dict[str, Secret] = {}
"""Secrets that a part removed from its environment; only our own processes get them back."""


def own_environment() -> dict[str, str]:
    """Return the environment for a process of our own that does this part's work."""
    return {**os.environ, **{name: value.reveal() for name, value in forgotten.items()}}
