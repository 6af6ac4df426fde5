"""Trials of the detectors: how often innocent play is reported, and how often planted guilty play is.

What people do is drawn from stated distributions. Nobody is real, so the rates are those of the distributions: they
say whether a threshold can be held, not how people behave.
"""
