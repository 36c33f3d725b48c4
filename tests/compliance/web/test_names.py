"""Names that the engine writes between backticks are set as names; nothing comes in with them."""

from __future__ import annotations

import pytest
from django.template import Context, Template


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`main` is missing beside `low`", "<code>main</code> is missing beside <code>low</code>"),
        ("no name, 3 < 4", "no name, 3 &lt; 4"),
        ("`<b>` is no field", "<code>&lt;b&gt;</code> is no field"),
        ("a lone ` stays & all", "a lone ` stays &amp; all"),
        ("", ""),
    ],
)
def test_names_between_backticks_are_code_and_all_is_escaped(text: str, shown: str) -> None:
    assert Template("{{ text|named }}").render(Context({"text": text})) == shown
