"""What programs ask of this room, and the description of all of it."""

from django.urls import path
from django.views.decorators.http import require_safe

from compliance.api.description import openapi
from compliance.api.in_force import WhatIsInForce
from compliance.api.own_key import OwnKey

urlpatterns = [
    path("openapi.json", require_safe(openapi), name="api_description"),
    path("key", OwnKey.as_view(), name="api_key_itself"),
    path("in-force", WhatIsInForce.as_view(), name="api_in_force"),
]
