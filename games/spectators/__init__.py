"""What spectators of a match with a delay see: delayed.py."""
