from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import URLPattern, URLResolver, get_resolver

from tests.pages.addresses import NO_PAGES, PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator


def addresses(resolver: URLResolver) -> Iterator[str]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield entry.name or str(entry.issue)
        else:
            yield from addresses(entry)


def test_every_address_is_seen_in_a_browser_or_no_page() -> None:
    listed = {name for name in PAGES if not name.startswith("gallery")} | set(NO_PAGES)
    assert set(addresses(get_resolver())) == listed
