"""What is in force: parties, filings, approvals, controls, law, and the proof of all of it."""
