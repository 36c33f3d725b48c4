"""The event log: reading it requires access, checking it does not."""

from django.urls import path

from compliance.event_log import pages

urlpatterns = [
    path("", pages.EventList.as_view(), name="events"),
    path("export", pages.ExportEvents.as_view(), name="export_events"),
    path("events/<uuid:uuid>/", pages.EventPage.as_view(), name="event"),
    path("events/<uuid:uuid>/proof", pages.EventProof.as_view(), name="event_proof"),
    path("events/<uuid:uuid>/content", pages.EventContent.as_view(), name="event_content"),
    path("objects/<str:kind>/<uuid:uuid>/", pages.ObjectEvents.as_view(), name="object_events"),
    path("key", pages.key, name="log_key"),
    path("checkpoint/cosigned", pages.cosigned, name="log_cosigned"),
    path("checkpoint/to-cosign", pages.to_cosign, name="log_to_cosign"),
    path("cosignatures", pages.cosignatures, name="log_cosignatures"),
    path("tile/<int:level>/<path:number>", pages.tile, name="log_tile"),
    path("witness.pyz", pages.witness_program, name="log_witness"),
    path("checkpoint", pages.checkpoint, name="log_checkpoint"),
    path("consistency", pages.consistency, name="log_consistency"),
    path("verifier.py", pages.verifier_script, name="log_verifier"),
]
