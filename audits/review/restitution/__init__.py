"""Restitution: what players are owed, and what their operator paid."""
