"""Sanctions and appeals: warn, mute, pause, suspend, rename, close an account; the log of moderators."""
