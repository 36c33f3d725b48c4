from django.apps import AppConfig


class AuditsConfig(AppConfig):
    """Application config for round logs, replay, findings and review."""

    name = "audits"
    verbose_name = "Audits"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what audits add to the platform."""
        from audits import hooks

        hooks.register()
