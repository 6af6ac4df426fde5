"""What the site measures in matches that are over, so that moderators look. A detector never acts by itself.

Each is a module with pure functions, from plain facts to a measure with a threshold; ``facts`` reads the facts,
``findings`` says what is found in a match, ``looking`` reports it, ``watch`` does so for every match beside everything
else. ``tests/games/moderation/detectors/trials`` measures how often innocent and guilty play is reported.
"""
