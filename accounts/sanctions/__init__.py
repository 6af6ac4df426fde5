"""Sanctions, appeals and the log of moderation. ``measures`` has a row for each measure."""
