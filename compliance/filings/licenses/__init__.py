"""Licenses of parties, and the compacts that govern tribal tables."""
