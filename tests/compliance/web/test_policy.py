from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from compliance.project.settings import BASE_DIR

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

TEMPLATES = sorted((BASE_DIR / "templates").rglob("*.html"))
INLINE = {
    "a style attribute": re.compile(r"\sstyle\s*=", re.IGNORECASE),
    "a style element": re.compile(r"<style\b", re.IGNORECASE),
    "an event attribute": re.compile(r"\son[a-z]+\s*=", re.IGNORECASE),
    "an expression for htmx": re.compile(r"\shx-(on|vals=['\"]js)", re.IGNORECASE),
    "a script address": re.compile(r"javascript:", re.IGNORECASE),
    "an address elsewhere": re.compile(r"(src|href|action)=['\"](https?:)?//", re.IGNORECASE),
}
SCRIPT = re.compile(r"<script\b[^>]*>", re.IGNORECASE)


def directives(header: str) -> dict[str, list[str]]:
    parts = [part.split() for part in header.split(";") if part.strip()]
    return {part[0]: part[1:] for part in parts}


@pytest.mark.parametrize("address", ["/", "/no/such/page"])
def test_every_answer_allows_only_what_comes_from_here(client: Client, address: str) -> None:
    policy = directives(client.get(address).headers["Content-Security-Policy"])
    assert policy["default-src"] == ["'none'"]
    assert policy["style-src"] == ["'self'"]
    assert policy["base-uri"] == policy["frame-ancestors"] == ["'none'"]
    assert policy["form-action"] == ["'self'"]
    allowed = {source for sources in policy.values() for source in sources}
    assert not allowed & {"'unsafe-inline'", "'unsafe-eval'", "*", "https:", "http:"}


def test_every_answer_has_its_own_script_nonce(client: Client) -> None:
    nonces = set()
    for _ in range(2):
        response = client.get("/")
        sources = directives(response.headers["Content-Security-Policy"])["script-src"]
        [nonce] = [source[7:-1] for source in sources if source.startswith("'nonce-")]
        tags = SCRIPT.findall(response.content.decode())
        assert tags
        assert all(f'nonce="{nonce}"' in tag for tag in tags)
        nonces.add(nonce)
    assert len(nonces) == 2


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(BASE_DIR)))
def test_a_template_has_no_style_or_script_of_its_own(template: Path) -> None:
    text = template.read_text()
    assert [what for what, issue in INLINE.items() if issue.search(text)] == []
    for tag in SCRIPT.findall(text):
        assert "src=" in tag or 'type="application/json"' in tag
        assert "nonce=" in tag or 'type="application/json"' in tag


def test_htmx_evaluates_no_text_and_keeps_no_pages(client: Client) -> None:
    page = client.get("/").content.decode()
    assert '"allowEval": false' in page
    assert '"includeIndicatorStyles": false' in page
    assert '"historyCacheSize": 0' in page
