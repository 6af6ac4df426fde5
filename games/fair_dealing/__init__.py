"""Fair dealing: commitments, players' texts for the shuffle, and the page that checks a deal."""
