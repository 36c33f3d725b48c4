"""Suppliers' records: who has a substantial interest, and the equipment that they deliver."""
