"""Keys of a party's programs."""

from django.urls import path

from compliance.web.keys import pages

urlpatterns = [
    path("<slug:code>/keys/", pages.keys, name="api_keys"),
    path("<slug:code>/keys/make/", pages.make, name="make_api_key"),
    path("<slug:code>/keys/<uuid:uuid>/revoke/", pages.revoke, name="revoke_api_key"),
]
