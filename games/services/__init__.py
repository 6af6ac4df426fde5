"""Changes of a match: moves, absence.py, bots' delays (turns.py), table limits (seating.py), notices, rematch.py."""
