"""TV: which match is featured, its board in the lobby, and the channels."""
