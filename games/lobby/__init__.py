"""The lobby: opening, joining and leaving tables, invitations, "Play now" (quick_play.py), the list of open tables."""
