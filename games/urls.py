"""The addresses of the lobby, the tables and the rules."""

from __future__ import annotations

from django.urls import URLPattern, path

from games.views import rules

rules_urls: list[URLPattern] = [
    path("rules/", rules.index, name="rules"),
    path("rules/<slug:variant>/", rules.how_to_play, name="how-to-play"),
    path("fair-dealing/", rules.fair_dealing, name="fair-dealing"),
]

urlpatterns = [*rules_urls]
