"""Announcements on commit, the channel layers, and the threads that use the database."""
