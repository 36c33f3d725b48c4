"""The signed log of events: its tree, proofs, checks, export, SIEM feed and pages."""
