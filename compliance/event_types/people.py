"""What happens to parties, people, their roles and their ways of signing in."""

from compliance.events import event_type

CAME_FROM = {"address": "network address", "browser": "what the browser calls itself"}

PARTY_REGISTERED = event_type(
    "party.registered",
    "{actor} registered {object}",
    carries={"code": "what other programs call it", "kind": "kind of party"},
)
PERSON_INVITED = event_type(
    "person.invited",
    "{actor} invited somebody to the role {role}",
    carries={"role": "role offered"},
    personal={"email": "address invited"},
    open_to_party=True,
)
INVITATION_WITHDRAWN = event_type(
    "invitation.withdrawn", "{actor} withdrew an invitation", open_to_party=True
)
PERSON_JOINED = event_type("person.joined", "{actor} accepted an invitation and has an account now")
PERSON_DEACTIVATED = event_type(
    "person.deactivated", "{actor} closed the account of {object}", needs_reason=True
)
ROLE_GIVEN = event_type(
    "role.given",
    "{object} holds the role {role}, given by {actor}",
    carries={"role": "role"},
    open_to_party=True,
)
ROLE_ENDED = event_type(
    "role.ended",
    "{object} holds the role {role} no more, ended by {actor}",
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
SIGN_IN_FAILED = event_type(
    "sign_in.failed",
    "A sign-in failed",
    personal=CAME_FROM | {"claimed": "address that was typed"},
)
SECOND_FACTOR_FAILED = event_type(
    "second_factor.failed", "A second factor of {object} was wrong", personal=CAME_FROM
)
PASSWORD_CHANGED = event_type("password.changed", "{actor} has a new password", personal=CAME_FROM)
SECOND_FACTOR_ADDED = event_type(
    "second_factor.added",
    "{actor} set up a second factor: {kind}",
    carries={"kind": "authenticator app, security key or recovery codes"},
    personal=CAME_FROM,
)
SECOND_FACTOR_REMOVED = event_type(
    "second_factor.removed",
    "{actor} removed a second factor: {kind}",
    carries={"kind": "authenticator app, security key or recovery codes"},
    personal=CAME_FROM,
)
SECOND_FACTOR_RENEWED = event_type(
    "second_factor.renewed",
    "{actor} renewed a second factor: {kind}",
    carries={"kind": "recovery codes"},
    personal=CAME_FROM,
)
