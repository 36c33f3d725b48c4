"""Writes a definition as TOML: the order of keys is kept, because the first that applies decides.

Lines stay short, because the reader of definitions rejects long ones.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


def as_toml(data: dict[str, Any]) -> str:
    """Return the data of a definition as the text of a file."""
    return "\n".join(_tables(data, ())).strip() + "\n"


def _tables(data: dict[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Yield a header and a body for each table."""
    for key, value in data.items():
        inside = (*path, key)
        name = ".".join(map(_key, inside))
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            for each in value:
                yield from ("", f"[[{name}]]", *_body(each, ""))
        elif isinstance(value, dict) and _is_group(value):
            yield from _tables(value, inside)
        elif isinstance(value, dict):
            yield from ("", f"[{name}]", *_body(value, ""))
        else:
            yield f"{name} = {_inline(value)}"


def _is_group(value: dict[str, Any]) -> bool:
    """Return whether a table only has tables; each of these gets its own header."""
    return bool(value) and all(isinstance(each, dict) for each in value.values())


def _body(value: dict[str, Any], before: str) -> Iterator[str]:
    for key, item in value.items():
        name = f"{before}{_key(key)}"
        if isinstance(item, dict) and item:
            yield from _body(item, f"{name}.")
        elif isinstance(item, list) and any(isinstance(each, dict) for each in item):
            yield f"{name} = ["
            yield from (f"  {_inline(each)}," for each in item)
            yield "]"
        else:
            yield f"{name} = {_inline(item)}"


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_key(key)} = {_inline(item)}' for key, item in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else _text(str(value))


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) else _text(key)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
