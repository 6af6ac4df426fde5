"""What late spectators see: a match behind by the delay that the host chose."""
