"""Signed reports, letters and schedules."""
