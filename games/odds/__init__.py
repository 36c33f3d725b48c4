"""Exact odds of the wagers that pay by a table or by comparison: counted, never simulated."""
