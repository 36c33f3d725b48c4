"""Page route of the dashboard."""

from django.urls import path

from audits.review.dashboard import pages

urlpatterns = [path("", pages.DashboardPage.as_view(), name="dashboard")]
