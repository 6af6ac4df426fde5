"""Fair dealing: commitments, players' texts for the shuffle (engine/deal.py), and the page that checks a deal."""
