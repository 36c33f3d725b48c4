"""What is in effect."""

from django.urls import path

from compliance.in_effect import pages

urlpatterns = [path("", pages.InEffectPage.as_view(), name="in_effect")]
