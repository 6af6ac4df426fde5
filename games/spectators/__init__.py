"""The view of spectators of a match with a delay."""
