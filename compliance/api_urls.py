"""Addresses of the API, and its description."""

from django.urls import path
from django.views.decorators.http import require_safe

from compliance.api.description import openapi
from compliance.event_log.api import Events
from compliance.filings.controls.api import (
    CheckControls,
    OneVersion,
    RemarkOnControls,
    Versions,
    WithdrawControls,
)
from compliance.filings.controls.draft_api import OneDraft, OnePart, SubmitTheDraft
from compliance.filings.documents.api import (
    Documents,
    DocumentVersions,
    OneDocument,
    OneDocumentFile,
)
from compliance.filings.games.api import Games, OneRuleVersion
from compliance.filings.licenses.api import Licenses
from compliance.filings.queues.api import WaitingFilings
from compliance.filings.requests.api import OneRequest, Requests
from compliance.in_effect.api import WhatIsInEffect
from compliance.law.api import Law
from compliance.notifications.webhook_api import (
    AgainToWebhook,
    Deliveries,
    EndWebhook,
    OneWebhook,
    ResumeWebhook,
    TryWebhook,
    Webhooks,
)
from compliance.people.api import OwnKey, Parties

urlpatterns = [
    path("openapi.json", require_safe(openapi), name="api_description"),
    path("key", OwnKey.as_view(), name="api_key_itself"),
    path("law", Law.as_view(), name="api_law"),
    path("parties", Parties.as_view(), name="api_parties"),
    path("events", Events.as_view(), name="api_events"),
    path("in-effect", WhatIsInEffect.as_view(), name="api_in_effect"),
    path("controls", Versions.as_view(), name="api_controls"),
    path("controls/check", CheckControls.as_view(), name="api_check_controls"),
    path("controls/<uuid:uuid>", OneVersion.as_view(), name="api_controls_version"),
    path("controls/<uuid:uuid>/withdraw", WithdrawControls.as_view(), name="api_withdraw_controls"),
    path("controls/<uuid:uuid>/remarks", RemarkOnControls.as_view(), name="api_remark_on_controls"),
    path("controls/draft", OneDraft.as_view(), name="api_controls_draft"),
    path("controls/draft/submit", SubmitTheDraft.as_view(), name="api_submit_controls_draft"),
    path("controls/draft/<str:part>", OnePart.as_view(), name="api_controls_draft_part"),
    path("games", Games.as_view(), name="api_games"),
    path("rule-versions/<uuid:uuid>", OneRuleVersion.as_view(), name="api_rule_version"),
    path("requests", Requests.as_view(), name="api_requests"),
    path("requests/<uuid:uuid>", OneRequest.as_view(), name="api_request"),
    path("waiting-filings", WaitingFilings.as_view(), name="api_waiting_filings"),
    path("licenses", Licenses.as_view(), name="api_licenses"),
    path("documents", Documents.as_view(), name="api_documents"),
    path("documents/<uuid:uuid>", OneDocument.as_view(), name="api_document"),
    path(
        "documents/<uuid:uuid>/versions",
        DocumentVersions.as_view(),
        name="api_document_versions",
    ),
    path(
        "document-versions/<uuid:uuid>/files/<int:place>",
        OneDocumentFile.as_view(),
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
