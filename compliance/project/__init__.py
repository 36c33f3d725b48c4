"""The composition root: the one place that may name every room. Nobody imports it."""

from compliance.project.celery import app as celery_app

__all__ = ["celery_app"]
