"""What spectators see, late (delayed.py), and the chances to win. Lengths of delays: match/disclosure.py."""
