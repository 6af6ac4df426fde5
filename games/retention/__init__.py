"""Retention: how long everything is kept, and deleting it then."""
