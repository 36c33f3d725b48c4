"""Operators' own disclosures."""
