"""Fair dealing: commitments (dealing.py, engine/deal.py), players' texts (nonces.py), the page that checks a deal."""
