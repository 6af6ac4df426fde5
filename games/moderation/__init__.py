"""Moderation of games: cases, decisions, detectors, and the pages of moderators."""
