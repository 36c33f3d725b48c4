"""Hands against the dealer, or against a pay table alone."""
