"""Requests to approve the rules of a game, step by step, and the approvals given."""
