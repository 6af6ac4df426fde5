"""Chats of players, spectators and shared reviews, with quick phrases."""
