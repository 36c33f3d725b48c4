"""Parties, filings, approvals, controls and law in effect, and the event log that proves them."""
