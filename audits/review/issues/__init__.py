"""Issues: opening, counting, assignment, decisions and questions."""
