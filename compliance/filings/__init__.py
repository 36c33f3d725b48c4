"""Filings by suppliers and operators, and the commission's decisions on them."""
