"""Changes of a running match: moves, missed deadlines (absence.py), bots' turns and delays (turns.py), results."""
