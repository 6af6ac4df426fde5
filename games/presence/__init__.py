"""Who is here: people in the lobby, spectators, shared reviews, pages in sight, connections of seats."""
