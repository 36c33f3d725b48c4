"""What is in force."""

from django.urls import path

from compliance.web.in_force import pages

urlpatterns = [path("", pages.page, name="in_force")]
