"""The view of spectators: delayed.py, and the chances to win. Lengths of delays: match/disclosure.py."""
