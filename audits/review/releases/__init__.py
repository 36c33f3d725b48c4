"""Releases of findings and reports to operators."""
