"""Verification of the present: current rows, guards of the database, and the software."""
