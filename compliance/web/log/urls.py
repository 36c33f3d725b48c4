"""The event log: read by those who may, checked by anybody."""

from django.urls import path

from compliance.web.log import pages, public

urlpatterns = [
    path("", pages.events, name="events"),
    path("export", pages.export, name="export_events"),
    path("events/<uuid:uuid>/", pages.event, name="event"),
    path("events/<uuid:uuid>/proof", pages.proof, name="event_proof"),
    path("events/<uuid:uuid>/content", pages.content, name="event_content"),
    path("objects/<str:kind>/<uuid:uuid>/", pages.object_events, name="object_events"),
    path("key", public.key, name="log_key"),
    path("checkpoint", public.checkpoint, name="log_checkpoint"),
    path("consistency", public.consistency, name="log_consistency"),
    path("verifier.py", public.verifier_script, name="log_verifier"),
]
