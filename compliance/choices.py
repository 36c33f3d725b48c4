"""The closed lists of the regulatory core: kinds of party, roles of people."""

from django.db.models import TextChoices


class PartyKind(TextChoices):
    """What a party is to the law."""

    COMMISSION_UNIT = "commission_unit", "Commission unit"
    CARD_ROOM = "card_room", "Card room"
    TRIBAL_OPERATION = "tribal_operation", "Tribal gaming operation"
    TRIBAL_AGENCY = "tribal_agency", "Tribal gaming agency"
    SUPPLIER = "supplier", "Supplier"


class Role(TextChoices):
    """What a person does in a party."""

    OPERATOR_MANAGER = "operator_manager", "Compliance manager"
    OPERATOR_CLERK = "operator_clerk", "Clerk"
    SUPPLIER = "supplier", "Supplier's representative"
    AGENCY_REVIEWER = "agency_reviewer", "Agency reviewer"
    AGENT = "agent", "Special agent"
    SUPERVISOR = "supervisor", "Special agent supervisor"
    LICENSING = "licensing", "Licensing"
    FINANCIAL_INVESTIGATIONS = "financial_investigations", "Financial investigations"
    DIRECTOR = "director", "Director"
    AUDITOR = "auditor", "Auditor"
    ADMINISTRATOR = "administrator", "Administrator"


OPERATOR_KINDS = frozenset({PartyKind.CARD_ROOM, PartyKind.TRIBAL_OPERATION})

ROLES_OF_KIND: dict[PartyKind, frozenset[Role]] = {
    PartyKind.COMMISSION_UNIT: frozenset(
        {
            Role.AGENT,
            Role.SUPERVISOR,
            Role.LICENSING,
            Role.FINANCIAL_INVESTIGATIONS,
            Role.DIRECTOR,
            Role.AUDITOR,
            Role.ADMINISTRATOR,
        }
    ),
    PartyKind.CARD_ROOM: frozenset({Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK}),
    PartyKind.TRIBAL_OPERATION: frozenset({Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK}),
    PartyKind.TRIBAL_AGENCY: frozenset({Role.AGENCY_REVIEWER}),
    PartyKind.SUPPLIER: frozenset({Role.SUPPLIER}),
}
