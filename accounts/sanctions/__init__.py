"""Sanctions, appeals and the log of moderation. ``measures`` has the role and the texts of each measure."""
