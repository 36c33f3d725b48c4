from typing import Any

from django.apps import AppConfig
from django.core.management import call_command
from django.db.models.signals import post_migrate

from compliance import references
from compliance.project.configuration import configuration_reference
from compliance.ui.frame import Group, Place
from compliance.ui.frame import register as register_place
from compliance.ui.home_parts import Capability, register_capability


class ProjectConfig(AppConfig):
    """The app that starts, monitors and connects the other apps."""

    name = "compliance.project"
    label = "project"
    verbose_name = "Project"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks, and everything that belongs to no other app."""
        from compliance.project import checks  # noqa: F401
        from compliance.project.operations import health

        health.register_all()

        post_migrate.connect(make_cache_table, sender=self)
        post_migrate.connect(record_engine_of_update, sender=self)
        references.register("configuration.md", configuration_reference)
        register_place(Place(label="Status", url_name="status", order=900, group=Group.RUNNING))
        register_capability(
            Capability(
                title="Background work that is never lost",
                says="A worker does what the clock or a person orders. Pending work is in the "
                "database, so a lost message only costs time.",
                order=10,
            )
        )
        register_capability(
            Capability(
                title="Every byte kept",
                says="Submissions and reports are in an archive under their SHA-256, written "
                "completely or not at all, in a folder or an S3 store.",
                order=20,
            )
        )
        register_capability(
            Capability(
                title="System status",
                says="Database, tables, archive, message broker and background work are checked, "
                "for people on a page and for programs as metrics.",
                order=30,
                url_name="status",
            )
        )


def make_cache_table(using: str, **_: Any) -> None:
    """Create the cache table if it does not exist."""
    call_command("createcachetable", database=using, verbosity=0)


def record_engine_of_update(**_: Any) -> None:
    """Record the engine that an update brought, unless the database is still empty."""
    from audits.replay.engine import record_engine  # most processes need no engine
    from compliance.events.actor import at_the_console
    from compliance.events.models import Event

    if Event.objects.exists():
        record_engine(by=at_the_console())
