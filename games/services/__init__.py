"""Changes of a running match: moves, absence.py, bots' delays (turns.py), limits of tables (seating.py), notices."""
