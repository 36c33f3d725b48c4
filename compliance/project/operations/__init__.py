"""How the system is doing: for the machines that watch it and the people who run it."""
