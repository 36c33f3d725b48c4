from typing import Any

from django.apps import AppConfig
from django.core.management import call_command
from django.db.models.signals import post_migrate

from compliance import references
from compliance.capabilities import Capability
from compliance.capabilities import register as register_capability
from compliance.project.environment import configuration_reference
from compliance.web.navigation import Group, Place
from compliance.web.navigation import register as register_place


class ProjectConfig(AppConfig):
    """What starts, watches and joins the rooms."""

    name = "compliance.project"
    label = "project"
    verbose_name = "Project"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks, and what stands without any room."""
        from compliance.project import checks  # noqa: F401

        post_migrate.connect(make_cache_table, sender=self)
        references.register("configuration.md", configuration_reference)
        register_place(Place(label="Status", url_name="status", order=900, group=Group.RUNNING))
        register_capability(
            Capability(
                title="Run in the background",
                says="A worker takes up what the clock or a person sends it. "
                "What is to be done stands in the database, so a lost message costs time only.",
                order=10,
            )
        )
        register_capability(
            Capability(
                title="Keep every byte",
                says="What is handed in or made lies in an archive under its SHA-256, "
                "written whole or not at all, in a folder or an S3 store.",
                order=20,
            )
        )
        register_capability(
            Capability(
                title="Say how it is doing",
                says="Database, tables, archive, message broker and background work are watched, "
                "for people on a page and for machines as metrics.",
                order=30,
                url_name="status",
            )
        )


def make_cache_table(using: str, **_: Any) -> None:
    """Make the table of the cache; nothing is done where it is there."""
    call_command("createcachetable", database=using, verbosity=0)
