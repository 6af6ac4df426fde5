"""The addresses of the lobby, the tables and the rules."""

from __future__ import annotations

from django.urls import URLPattern, path

from games.views import lobby, rules, seats

lobby_urls: list[URLPattern] = [
    path("", lobby.page, name="lobby"),
    path("tables/new/", lobby.new_table, name="table-new"),
    path("play/", seats.quick_play, name="quick-play"),
    path("match/<slug:slug>/sit/", seats.sit, name="match-sit"),
    path("match/<slug:slug>/stand/", seats.stand_up, name="match-stand"),
    path("match/<slug:slug>/fill/", seats.fill_with_bots, name="match-fill"),
    path("match/<slug:slug>/start/", seats.start, name="match-start"),
    path("match/<slug:slug>/rematch/", seats.rematch, name="match-rematch"),
]

rules_urls: list[URLPattern] = [
    path("rules/", rules.index, name="rules"),
    path("rules/<slug:variant>/", rules.how_to_play, name="how-to-play"),
    path("fair-dealing/", rules.fair_dealing, name="fair-dealing"),
]

urlpatterns = [*lobby_urls, *rules_urls]
