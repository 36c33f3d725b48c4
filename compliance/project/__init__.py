"""The composition root: the only package that may import every other; none imports it."""

from compliance.project.celery import app as celery_app

__all__ = ["celery_app"]
