"""Chats of players, spectators and shared reviews, with preset phrases."""
