"""How the API describes itself; read by the settings, so it imports nothing of Django's."""

from typing import Any

DESCRIPTION: dict[str, Any] = {
    "TITLE": "Card game compliance",
    "DESCRIPTION": (
        "What a party's own programs do: hand in round logs, follow them, read receipts, findings "
        "and reports, ask what is in force.\n\n"
        "Every request shows a key. Every POST names an `Idempotency-Key`: sent again under the "
        "same one it is done once and answered alike. Lists come in pages, `next` leads on. Money "
        "is in cents, times say their offset. Every error has the one shape `Problem` (RFC 9457). "
        "What is another party's looks like what is not there."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "compliance.api.description.refuse_what_is_not_described",
    ],
    "COMPONENT_SPLIT_REQUEST": True,
    "SORT_OPERATIONS": False,
    "ENUM_NAME_OVERRIDES": {
        "HandInState": "audits.models.HandIn.State",
        "ReplayState": "audits.models.Replay.State",
        "PatternState": "audits.api.findings.STATES",
        "ComparisonState": "audits.models.ReplayComparison.State",
        "DeliveryState": "compliance.models.WebhookDelivery.State",
        "ApprovalKind": "compliance.models.Approval.Kind",
        "PartyKind": "compliance.choices.PartyKind",
        "WithdrawalStep": "compliance.models.Withdrawal.Step",
        "KeyScope": "compliance.permissions.KeyScope",
        "OpenOrClosed": "audits.models.Case.State",
        "CaseItemKind": "audits.models.CaseItem.Kind",
        "VisitItemKind": "audits.models.VisitItem.Kind",
        "RequestState": "compliance.models.GameRequest.State",
        "DocumentKind": "compliance.models.Document.Kind",
        "LicenceKind": "compliance.models.licence.LicenceClass",
        "ReviewState": "audits.models.Pattern.State",
    },
}
