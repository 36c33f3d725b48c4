from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from compliance.ui.assets.build import OWN_STATIC, build


class Command(BaseCommand):
    """Build the stylesheet and fonts, then collect every static file under its hashed name."""

    help = "Build the stylesheet and faces from npm and collect static files; quick when done."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option to replace the small stylesheet once the registry answers."""
        parser.add_argument(
            "--again", action="store_true", help="try npm again where it did not answer before"
        )

    def handle(self, *, again: bool, **_options: Any) -> None:
        """Build, report what is missing, and collect."""
        built = build(root=settings.BASE_DIR, var=settings.VAR, again=again)
        if built.missing:
            self.stderr.write(
                f"{built.missing}. Until then pages use a small stylesheet and PDFs their "
                "library's own font; `make assets` tries again."
            )
        marker = built.folder / "collected"
        wanted = _own_files()
        if not marker.is_file() or marker.read_text() != wanted:
            call_command("collectstatic", interactive=False, verbosity=0)
            marker.write_text(wanted)


def _own_files() -> str:
    """Return the inputs, apart from the built folder, that decide which files are collected."""
    digest = hashlib.sha256()
    for path in [*sorted(OWN_STATIC.rglob("*")), Path(settings.BASE_DIR) / "requirements.lock"]:
        if path.is_file():
            digest.update(f"{path.name}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
