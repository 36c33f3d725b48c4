"""Review of findings: issues, cases, visits, releases and restitution."""
