"""Who is here: people in the lobby, spectators of a match, pages in sight."""
