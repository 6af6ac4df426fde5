"""The delayed view of a match for its spectators: delayed.py."""
