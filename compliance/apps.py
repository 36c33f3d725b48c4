from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate
from django.utils.module_loading import autodiscover_modules

from compliance import due, holdable, references
from compliance.capabilities import Capability
from compliance.capabilities import register as register_capability
from compliance.choices import OPERATOR_KINDS, PartyKind
from compliance.event_reference import event_reference
from compliance.permission_reference import permission_reference
from compliance.permissions import Action
from compliance.web import home_parts
from compliance.web.navigation import Group, Place, register

PLACES = (
    Place(label="Overview", url_name="home", order=0),
    Place(
        label="Waiting",
        url_name="filings",
        order=105,
        action=Action.SEE_QUEUES,
        group=Group.FILINGS,
    ),
    Place(
        label="Controls",
        url_name="controls_versions",
        order=110,
        action=Action.SEE_CONTROLS,
        group=Group.FILINGS,
    ),
    Place(
        label="Requests",
        url_name="requests",
        order=120,
        action=Action.SEE_FILINGS,
        group=Group.FILINGS,
    ),
    Place(
        label="Games",
        url_name="games",
        order=130,
        action=Action.SEE_FILINGS,
        group=Group.FILINGS,
    ),
    Place(
        label="Documents",
        url_name="documents",
        order=140,
        action=Action.SEE_FILINGS,
        group=Group.FILINGS,
    ),
    Place(
        label="Licences",
        url_name="licences",
        order=150,
        action=Action.SEE_FILINGS,
        group=Group.FILINGS,
    ),
    Place(
        label="In force",
        url_name="in_force",
        order=160,
        action=Action.SEE_CONTROLS,
        group=Group.RULES,
    ),
    Place(
        label="Law",
        url_name="law",
        order=170,
        action=Action.SEE_FILINGS,
        group=Group.RULES,
    ),
    Place(
        label="People",
        url_name="parties",
        order=800,
        action=Action.SEE_PEOPLE,
        group=Group.RUNNING,
    ),
    Place(
        label="Legal holds",
        url_name="holds",
        order=805,
        action=Action.KEEP_HOLDS,
        group=Group.RUNNING,
    ),
    Place(
        label="Event log",
        url_name="events",
        order=810,
        action=Action.READ_EVENTS,
        group=Group.RUNNING,
    ),
)


class ComplianceConfig(AppConfig):
    """Filings, approvals, law, people and the event log."""

    name = "compliance"
    verbose_name = "Compliance"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Gather every room's event types and notices, guard history, name the places."""
        from compliance import checks  # noqa: F401 - registers them
        from compliance.selectors.holdable import KINDS
        from compliance.verification import archive
        from compliance.web.accounts import sign_in_events  # noqa: F401 - hears sign-ins

        archive.register(archive.files_of_documents)
        holdable.register(KINDS)

        autodiscover_modules("event_types")
        autodiscover_modules("notices")
        post_migrate.connect(guard_history)
        for place in PLACES:
            register(place)
        _register_home()
        references.register("permissions.md", permission_reference)
        register_capability(
            Capability(
                title="People, roles and second factors",
                says="People come by invitation and hold roles in parties. Agents, approvers and "
                "administrators sign in with a second factor. What is another party's is not "
                "there.",
                order=20,
                url_name="account_login",
            )
        )
        references.register("events.md", event_reference)
        register_capability(
            Capability(
                title="An event log nobody can rewrite",
                says="Everything that happens is an event with a place in a signed log. What is "
                "changed by hand in the database is found, and named.",
                order=10,
                url_name="log_key",
            )
        )
        register_capability(
            Capability(
                title="What is in force, and who approved it",
                says="Filings go from the request to the approval on the commercial and the tribal "
                "path, internal controls from the draft to the visit. For any table and instant "
                "the system says what bound it, by whose word, or why nothing could be dealt.",
                order=30,
                url_name="in_force",
            )
        )


def guard_history(sender: AppConfig, using: str, **_: Any) -> None:
    """Install the triggers of the history tables of the app that was migrated."""
    from compliance import guards

    models = [model for model in guards.history_models() if model._meta.app_config is sender]
    guards.install(connections[using], models)


def _register_home() -> None:
    from compliance.selectors.filings_due import (
        agency_due,
        conditions_due,
        controls_due,
        requests_due,
    )
    from compliance.web.filings.own import own_queues
    from compliance.web.in_force.today import today
    from compliance.web.licences.compact_today import compact_today
    from compliance.web.requests.own import own_requests

    due.register("controls", controls_due)
    due.register("requests", requests_due)
    due.register("conditions", conditions_due)
    due.register("agency", agency_due)
    home_parts.register(
        home_parts.HomePart(
            name="queues",
            order=15,
            kinds={PartyKind.COMMISSION_UNIT},
            action=Action.SEE_QUEUES,
            template="filings/own.html",
            shows=own_queues,
        )
    )
    home_parts.register(
        home_parts.HomePart(
            name="in_force",
            order=20,
            kinds=OPERATOR_KINDS,
            action=Action.SEE_CONTROLS,
            template="in_force/today.html",
            shows=today,
        )
    )
    home_parts.register(
        home_parts.HomePart(
            name="requests",
            order=30,
            kinds={PartyKind.SUPPLIER, PartyKind.TRIBAL_OPERATION, PartyKind.TRIBAL_AGENCY},
            action=Action.SEE_FILINGS,
            template="requests/own.html",
            shows=own_requests,
        )
    )
    home_parts.register(
        home_parts.HomePart(
            name="compact",
            order=40,
            kinds={PartyKind.TRIBAL_AGENCY},
            action=Action.SEE_FILINGS,
            template="licences/compact_today.html",
            shows=compact_today,
        )
    )
