"""The lobby: opening, joining and leaving tables, invitations, "Play now", the list of open tables."""
