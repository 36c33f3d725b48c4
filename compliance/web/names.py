"""Names out of a file or of the engine, set as such on a page.

The engine and the reader of logs write them between backticks, for terminals: "`main` is missing".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django import template
from django.utils.html import format_html, format_html_join

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

register = template.Library()
NAME = re.compile(r"`([^`]+)`")


@register.filter("named")
def with_names(text: object) -> SafeString:
    """A text whose names between backticks stand in `code`; all of it is escaped."""
    parts = NAME.split(str(text))
    for place in range(1, len(parts), 2):
        parts[place] = format_html("<code>{}</code>", parts[place])
    return format_html_join("", "{}", ((part,) for part in parts))
