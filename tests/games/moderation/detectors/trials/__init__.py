"""Trials of the detectors: how often innocent play and planted guilty play are reported.

Behaviour is drawn from stated distributions, not from real people: the rates show whether a threshold holds.
"""
