"""Completed reports: search, display, reproduction and verification."""
