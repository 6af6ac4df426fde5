"""Detectors of collusion (partners.py), throwing, farming, stalling, ... in finished matches. They only report.

Each detector is a module of pure functions, from plain values to a measure with a threshold. ``facts`` reads the
values, ``findings`` puts into words what exceeds a threshold, ``scans`` reports it, and ``scanner`` does so for every
finished match in the background. ``tests/games/moderation/detectors/trials`` measures how often innocent and guilty
play is reported.
"""
