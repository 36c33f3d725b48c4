"""Parties, people, roles and API keys, and what each may see and do."""
