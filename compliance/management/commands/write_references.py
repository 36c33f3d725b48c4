"""Regenerate the pages of `docs/reference/` that come from the code."""

from typing import Any

from django.core.management.base import BaseCommand

from compliance.references import references


class Command(BaseCommand):
    """`manage.py write_references`."""

    help = "Make the pages of docs/reference/ that come from the code again."

    def handle(self, *_: Any, **__: Any) -> None:
        """Write each page whose text has changed."""
        for path, text in references().items():
            if not path.exists() or path.read_text() != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
                self.stdout.write(f"{path.name} is new.")
