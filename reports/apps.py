from django.apps import AppConfig


class ReportsConfig(AppConfig):
    """Application config for reports, their signatures and their schedules."""

    name = "reports"
    verbose_name = "Reports"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what reports add to the platform."""
        from reports import hooks

        hooks.register()
