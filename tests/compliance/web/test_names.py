"""Names that the engine writes in backticks are rendered as names; nothing is injected."""

from __future__ import annotations

import pytest
from django.template import Context, Template

from compliance.ui.filters import browser_name


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


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
            "like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/131.0.0.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        ("curl/8.5.0", "curl/8.5.0"),
    ],
)
def test_browser_is_named_as_its_owner_knows_it(sent: str, shown: str) -> None:
    assert browser_name(sent) == shown
