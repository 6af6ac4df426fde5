"""Presence: the people on open pages of matches, the lobby and reviews, and the leases of seats."""
