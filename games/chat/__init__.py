"""Chats of players, spectators and shared reviews, with ready phrases."""
