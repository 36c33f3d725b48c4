"""Settings and reference derived from the environment: database, sign-on, files, API."""

from __future__ import annotations

import ctypes
import hashlib
import os
import stat
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit, urlunsplit

from environs import Env

from compliance.project.environment import variables
from compliance.project.valid import PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compliance.project.environment import Environment


DESCRIPTION: dict[str, Any] = {
    "TITLE": "Card game compliance",
    "DESCRIPTION": (
        "What a party's own programs do: submit round logs, follow them, read receipts, findings "
        "and reports, ask what is in effect.\n\n"
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
        "compliance.api.examples.add_examples",
    ],
    "COMPONENT_SPLIT_REQUEST": True,
    "SORT_OPERATIONS": False,
    "ENUM_NAME_OVERRIDES": {
        "SubmissionState": "audits.models.Submission.State",
        "ReplayState": "audits.models.Replay.State",
        "IssueState": "audits.review.issues.api.STATES",
        "ComparisonState": "audits.models.ReplayComparison.State",
        "DeliveryState": "compliance.models.WebhookDelivery.State",
        "ApprovalKind": "compliance.models.Approval.Kind",
        "PartyKind": "compliance.access.permissions.PartyKind",
        "WithdrawalStep": "compliance.models.Withdrawal.Step",
        "KeyScope": "compliance.access.permissions.KeyScope",
        "OpenOrClosed": "audits.models.Case.State",
        "CaseItemKind": "audits.models.CaseItem.Kind",
        "VisitItemKind": "audits.models.VisitItem.Kind",
        "RequestState": "compliance.models.GameRequest.State",
        "DocumentKind": "compliance.models.Document.Kind",
        "LicenseKind": "compliance.filings.licenses.models.LicenseClass",
        "ReviewState": "audits.models.Issue.State",
    },
}


def single_sign_on(url: str) -> list[dict[str, Any]]:
    """Return the issuer in `https://CLIENT:SECRET@HOST/PATH`, in django-allauth's format."""
    if not url:
        return []
    parts = urlsplit(url)
    place = parts.hostname or ""
    if parts.port:
        place = f"{place}:{parts.port}"
    return [
        {
            "provider_id": "oidc",
            "name": "single sign-on",
            "client_id": unquote(parts.username or ""),
            "secret": unquote(parts.password or ""),
            "settings": {
                "server_url": urlunsplit((parts.scheme, place, parts.path, "", "")),
                "oauth_pkce_enabled": True,
            },
        }
    ]


def swagger_ui() -> Path:
    """Return the folder of the one viewer we serve; the package's other one is left out."""
    spec = find_spec("drf_spectacular_sidecar")
    assert spec is not None  # noqa: S101 - pinned with the run-time set
    assert spec.origin is not None  # noqa: S101
    return Path(spec.origin).parent / "static" / "drf_spectacular_sidecar" / "swagger-ui-dist"


def database_settings(environment: Environment) -> dict[str, Any]:
    """Return the database settings in Django's format."""
    return dict(Env().dj_db_url("DATABASE_URL", environment.database.reveal()))


def checkpoint_file(var: Path, database: Mapping[str, Any]) -> Path:
    """Return the file outside this database for the newest checkpoint of its log.

    Each database has its own file: another database contains another log.
    """
    name = Path(str(database["NAME"]))
    if name.is_relative_to(var):
        name = name.relative_to(var)  # the folder may be moved, and the log with it
    place = f"{database.get('HOST', '')}:{database.get('PORT', '')}/{name}"
    return var / f"log-{hashlib.sha256(place.encode()).hexdigest()[:8]}.checkpoint"


OTHERS = stat.S_IRWXO
ANYONE_ELSE = stat.S_IRWXO | stat.S_IRWXG
PR_SET_DUMPABLE = 4


def keep_from_others() -> None:
    """Make new files of this process and its children readable only by their owner."""
    os.umask(0o077)


def keep_memory_from_others() -> None:
    """Hide this process's memory and environment from the user's other processes and core files.

    All parts of the system run as one user: without this the web could read the worker's secrets.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)


def open_to_others(place: Path) -> bool:
    """Return whether other users on the machine can access an existing file or folder.

    A parent folder without access for others protects everything in it.
    """
    if not place.exists() or not place.stat().st_mode & OTHERS:
        return False
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in place.resolve().parents)


def configuration_reference() -> str:
    """Return the reference page that lists every variable."""
    rows = "".join(
        f"| `{each.name}` | {each.says} | {each.default} | "
        f"{'all' if each.parts == PARTS else ', '.join(each.parts)} |\n"
        for each in variables()
    )
    return (
        "# Configuration\n\n"
        "Made from `compliance/project/environment.py` by `manage.py write_references`; a test "
        "fails when it is\nstale.\n\n"
        "The system is configured by environment variables alone. They are read and checked when "
        "a process starts;\none refusal names every value that cannot be used. `manage.py check` "
        "says what else is missing before\n`MODE=production` may start, and each part refuses "
        "for the same reasons.\n\n"
        "| variable | meaning | without it | used by |\n| --- | --- | --- | --- |\n"
        f"{rows}"
    )
