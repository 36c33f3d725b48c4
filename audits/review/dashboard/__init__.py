"""Rounds, findings, money, nights and open work over several weeks."""
