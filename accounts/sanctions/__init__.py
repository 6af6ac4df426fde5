"""Sanctions, appeals and the log of moderation. Each measure: measures.py; texts for the person: wording.py."""
