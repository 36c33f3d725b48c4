"""Intake of round logs: submission, ingestion, segments and registration."""
