"""Chats of players, spectators and shared reviews: preset phrases, limits on lines (posting.py)."""
