"""Moderation pages of the admin."""
