"""The addresses of pages that search engines find in every language: the root configuration adds it to them."""

from __future__ import annotations

from django.urls import path

from games.clubs import views as club_views
from games.daily_boards import views as daily_boards_views
from games.lessons import views as lessons_views
from games.lobby import views as lobby_views
from games.open_data import views as open_data_views
from games.puzzles import views as puzzles_views
from games.ratings import views as ratings_views
from games.tournaments import views as tournament_views

urlpatterns = [
    path("", lobby_views.lobby_page, name="lobby"),
    path("puzzles/", puzzles_views.puzzle_list, name="puzzles"),
    path("puzzles/another/", puzzles_views.another_puzzle, name="another-puzzle"),
    path("puzzles/<slug:variant>/", puzzles_views.puzzle_list, name="puzzles-game"),
    path("puzzles/<slug:variant>/another/", puzzles_views.another_puzzle, name="another-puzzle-of-game"),
    path("puzzles/<slug:variant>/<int:number>/", puzzles_views.numbered_puzzle_page, name="puzzle-number"),
    path("puzzles/<slug:variant>/<str:day>/", puzzles_views.puzzle_page, name="puzzle"),
    path("learn/<slug:variant>/", lessons_views.lesson_page, name="lesson"),
    path("learn/<slug:variant>/<int:number>/", lessons_views.lesson_page, name="lesson-task"),
    path("rules/", lessons_views.rules_index, name="rules"),
    path("rules/<slug:variant>/", lessons_views.rules_of_game, name="how-to-play"),
    path("tournaments/", tournament_views.tournament_list, name="tournaments"),
    path("clubs/", club_views.club_list, name="clubs"),
    path("daily/", daily_boards_views.board_list, name="daily"),
    path("daily/<slug:variant>/", daily_boards_views.today_page, name="daily-game"),
    path("daily/<slug:variant>/<str:day>/", daily_boards_views.day_page, name="daily-day"),
    path("open-data/", open_data_views.open_data_page, name="open-data"),
    path("leaderboard/", ratings_views.leaderboard, name="leaderboards"),
    path("leaderboard/<slug:variant>/", ratings_views.leaderboard, name="leaderboard"),
    path("leaderboard/<slug:variant>/bots/", ratings_views.bot_ladder_page, name="bot-ladder"),
]
