"""TV: the choice of the featured match, its board in the lobby, and the channels."""
