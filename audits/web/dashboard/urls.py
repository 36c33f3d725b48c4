"""The dashboard."""

from django.urls import path

from audits.web.dashboard import pages

urlpatterns = [path("", pages.page, name="dashboard")]
