"""Event types of parties, people, their roles, access changes, API keys and ways of signing in."""

from compliance.events.types import event_type

CAME_FROM = {"address": "network address", "browser": "what the browser calls itself"}

PARTY_REGISTERED = event_type(
    "party.registered",
    "{actor} registered {object}",
    carries={"code": "what other programs call it", "kind": "kind of party"},
)
PERSON_INVITED = event_type(
    "person.invited",
    "{actor} invited a person to the role {role}",
    carries={"role": "role offered"},
    personal={"email": "address invited"},
    open_to_party=True,
)
INVITATION_WITHDRAWN = event_type(
    "invitation.withdrawn", "{actor} withdrew an invitation", open_to_party=True
)
PERSON_JOINED = event_type("person.joined", "{actor} accepted an invitation and has an account now")
PERSON_DEACTIVATED = event_type(
    "person.deactivated",
    "{actor} closed the account of {object}",
    carries={
        "sessions": "number of sessions ended",
        "keys": "number of API keys revoked",
        "invitations": "number of open invitations withdrawn",
    },
    needs_reason=True,
)
PERSON_REACTIVATED = event_type(
    "person.reactivated", "{actor} reopened the account of {object}", needs_reason=True
)
ROLE_GIVEN = event_type(
    "role.given",
    "{actor} gave {object} the role {role}",
    carries={"role": "role"},
    open_to_party=True,
)
ROLE_ENDED = event_type(
    "role.ended",
    "{actor} ended {object}'s role {role}",
    carries={"role": "role"},
    needs_reason=True,
    open_to_party=True,
)
SESSION_BEGAN = event_type(
    "session.began",
    "{actor} signed in",
    carries={"methods": "how: password, second factor, passkey"},
    personal=CAME_FROM,
)
SESSION_ENDED = event_type("session.ended", "{actor} signed out", personal=CAME_FROM)
SESSIONS_ENDED = event_type("sessions.ended", "{actor} signed out of other devices")
DEVICE_REMEMBERED = event_type(
    "device.remembered", "{actor} signed in on a new device", personal=CAME_FROM
)
DEVICE_FORGOTTEN = event_type("device.forgotten", "{actor} removed a device from their list")
SIGN_IN_FAILED = event_type(
    "sign_in.failed",
    "A sign-in failed",
    personal=CAME_FROM | {"claimed": "address that was typed"},
)
SECOND_FACTOR_FAILED = event_type(
    "second_factor.failed", "A second factor of {object} was wrong", personal=CAME_FROM
)
PASSWORD_CHANGED = event_type("password.changed", "{actor} has a new password", personal=CAME_FROM)
FACTOR = {
    "kind": "authenticator app, security key or recovery codes",
    "key": "digest of a security key's public key, which signs decisions; empty for others",
}
SECOND_FACTOR_ADDED = event_type(
    "second_factor.added",
    "{actor} set up a second factor: {kind}",
    carries=FACTOR,
    personal=CAME_FROM,
)
SECOND_FACTOR_REMOVED = event_type(
    "second_factor.removed",
    "{actor} removed a second factor: {kind}",
    carries=FACTOR,
    personal=CAME_FROM,
)
SECOND_FACTOR_RENEWED = event_type(
    "second_factor.renewed",
    "{actor} renewed a second factor: {kind}",
    carries=FACTOR,
    personal=CAME_FROM,
)


KEY_MADE = event_type(
    "key.made",
    "{actor} created the API key {object}",
    carries={
        "scopes": "what it allows",
        "networks": "addresses it may come from; none for any",
        "expires": "when it expires",
    },
    open_to_party=True,
)
KEY_REVOKED = event_type(
    "key.revoked",
    "{actor} revoked the API key {object}",
    needs_reason=True,
    open_to_party=True,
)


CHANGE = {"what": "invitation, end of a role or second factor reset", "role": "the role, if any"}

PROPOSED = event_type(
    "access_change.proposed",
    "{actor} proposed an access change: {object}",
    carries=CHANGE | {"expires": "when the proposal expires"},
    needs_reason=True,
    open_to_party=True,
)
DONE_ALONE = event_type(
    "access_change.done_alone",
    "{actor} made an access change alone, before there was a second administrator: {object}",
    carries=CHANGE,
    needs_reason=True,
    open_to_party=True,
    signed=True,
)
CONFIRMED = event_type(
    "access_change.confirmed",
    "{actor} confirmed an access change: {object}",
    carries=CHANGE,
    open_to_party=True,
    signed=True,
)
WITHDRAWN = event_type(
    "access_change.withdrawn",
    "{actor} withdrew a proposed access change: {object}",
    carries=CHANGE,
    needs_reason=True,
    open_to_party=True,
)
REVERSED = event_type(
    "access_change.reversed",
    "{actor} reversed an access change that was made alone: {object}",
    carries=CHANGE,
    needs_reason=True,
    open_to_party=True,
    signed=True,
)
SECOND_FACTOR_RESET = event_type(
    "second_factor.reset",
    "{actor} confirmed the removal of {object}'s second factors",
    open_to_party=True,
)
