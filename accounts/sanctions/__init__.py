"""Sanctions and appeals. measures.py has a row for each measure, with its texts; the log of moderators."""
