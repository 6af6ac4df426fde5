"""Retention: how long data is stored, and its deletion."""
