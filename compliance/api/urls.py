"""What programs ask of this room, and the description of all of it."""

from django.urls import path
from django.views.decorators.http import require_safe

from compliance.api import documents, filings
from compliance.api.controls import (
    CheckControls,
    OneVersion,
    RemarkOnControls,
    Versions,
    WithdrawControls,
)
from compliance.api.description import openapi
from compliance.api.drafts import OneDraft, OnePart, SubmitTheDraft
from compliance.api.events import Events
from compliance.api.in_force import WhatIsInForce
from compliance.api.law import Law
from compliance.api.own_key import OwnKey
from compliance.api.parties import Parties
from compliance.api.waiting import WaitingFilings
from compliance.api.webhooks import (
    AgainToWebhook,
    Deliveries,
    EndWebhook,
    OneWebhook,
    ResumeWebhook,
    TryWebhook,
    Webhooks,
)

urlpatterns = [
    path("openapi.json", require_safe(openapi), name="api_description"),
    path("key", OwnKey.as_view(), name="api_key_itself"),
    path("law", Law.as_view(), name="api_law"),
    path("parties", Parties.as_view(), name="api_parties"),
    path("events", Events.as_view(), name="api_events"),
    path("in-force", WhatIsInForce.as_view(), name="api_in_force"),
    path("controls", Versions.as_view(), name="api_controls"),
    path("controls/check", CheckControls.as_view(), name="api_check_controls"),
    path("controls/<uuid:uuid>", OneVersion.as_view(), name="api_controls_version"),
    path("controls/<uuid:uuid>/withdraw", WithdrawControls.as_view(), name="api_withdraw_controls"),
    path("controls/<uuid:uuid>/remarks", RemarkOnControls.as_view(), name="api_remark_on_controls"),
    path("controls/draft", OneDraft.as_view(), name="api_controls_draft"),
    path("controls/draft/submit", SubmitTheDraft.as_view(), name="api_submit_controls_draft"),
    path("controls/draft/<str:part>", OnePart.as_view(), name="api_controls_draft_part"),
    path("games", filings.Games.as_view(), name="api_games"),
    path("rule-versions/<uuid:uuid>", filings.OneRuleVersion.as_view(), name="api_rule_version"),
    path("requests", filings.Requests.as_view(), name="api_requests"),
    path("requests/<uuid:uuid>", filings.OneRequest.as_view(), name="api_request"),
    path("waiting-filings", WaitingFilings.as_view(), name="api_waiting_filings"),
    path("licences", filings.Licences.as_view(), name="api_licences"),
    path("documents", documents.Documents.as_view(), name="api_documents"),
    path("documents/<uuid:uuid>", documents.OneDocument.as_view(), name="api_document"),
    path(
        "documents/<uuid:uuid>/versions",
        documents.DocumentVersions.as_view(),
        name="api_document_versions",
    ),
    path(
        "document-versions/<uuid:uuid>/files/<int:place>",
        documents.OneDocumentFile.as_view(),
        name="api_document_file",
    ),
    path("webhooks", Webhooks.as_view(), name="api_webhooks"),
    path("webhooks/<uuid:uuid>", OneWebhook.as_view(), name="api_webhook"),
    path("webhooks/<uuid:uuid>/end", EndWebhook.as_view(), name="api_end_webhook"),
    path("webhooks/<uuid:uuid>/resume", ResumeWebhook.as_view(), name="api_resume_webhook"),
    path("webhooks/<uuid:uuid>/test", TryWebhook.as_view(), name="api_test_webhook"),
    path("webhooks/<uuid:uuid>/deliveries", Deliveries.as_view(), name="api_deliveries"),
    path(
        "webhooks/deliveries/<uuid:uuid>/send-again",
        AgainToWebhook.as_view(),
        name="api_tell_webhook_again",
    ),
]
