from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


class ComplianceConfig(AppConfig):
    """Filings, approvals, law, people and the event log."""

    name = "compliance"
    verbose_name = "Compliance"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what compliance adds to its platform, guard history, and follow changes."""
        from compliance import changes, hooks

        hooks.register()
        changes.follow_changes()
        post_migrate.connect(guard_history)


def guard_history(sender: AppConfig, using: str, **_: Any) -> None:
    """Install the triggers of the history tables of the app that was migrated."""
    from compliance import history

    models = [model for model in history.history_models() if model._meta.app_config is sender]
    history.install(connections[using], models)
