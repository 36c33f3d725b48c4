"""What this system contributes to accreditations, from one file: a matrix, and OSCAL."""
