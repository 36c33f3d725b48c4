"""Mappings: how an operator's own export becomes a round log, as data."""
