"""People: invitations, roles, accounts, sign-in, second factors, devices and API keys."""
