"""Licenses and compacts."""

from django.urls import path

from compliance.filings.licenses import pages

urlpatterns = [
    path("", pages.LicenseList.as_view(), name="licenses"),
    path("new/", pages.NewLicense.as_view(), name="grant_license"),
    path("compacts/new/", pages.NewCompact.as_view(), name="enter_compact"),
    path("compacts/values/new/", pages.NewCompactValue.as_view(), name="add_compact_value"),
    path("compacts/items/new/", pages.NewCompactItem.as_view(), name="add_compact_item"),
    path("<uuid:uuid>/", pages.LicensePage.as_view(), name="license"),
    path("<uuid:uuid>/change/", pages.ChangeLicense.as_view(), name="change_license"),
]
