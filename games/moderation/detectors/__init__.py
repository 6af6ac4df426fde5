"""Detectors: what the site measures in finished matches, so that moderators look. They never act.

Each is a module with pure functions, from plain facts to a measure with a threshold; ``facts`` reads the facts,
``findings`` says what is found in a match, ``looking`` reports it, ``watch`` does so for every match beside everything
else. ``tests/games/moderation/detectors/trials`` measures how often innocent and guilty play is reported.
"""
