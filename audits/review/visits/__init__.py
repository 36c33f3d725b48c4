"""Visits to operators, with a checklist."""
