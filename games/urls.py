"""The addresses of the lobby, the tables, the history and the rules."""

from __future__ import annotations

from django.urls import URLPattern, path

from games.views import (
    absences,
    branch,
    conduct,
    embed,
    history,
    imported,
    invitations,
    lessons,
    lobby,
    mistakes,
    people,
    privacy,
    puzzles,
    ratings,
    reasons,
    records,
    reports,
    review,
    rules,
    seats,
    shared_review,
    social_preview,
    table,
    tv,
    verify,
)

lobby_urls: list[URLPattern] = [
    path("", lobby.page, name="lobby"),
    path("tables/new/", lobby.new_table, name="table-new"),
    path("running/", lobby.running_match, name="running-match"),
    path("tv/", tv.page, name="tv"),
    path("tv/<slug:variant>/", tv.page, name="tv-game"),
    path("play/", seats.quick_play, name="quick-play"),
    path("match/<slug:slug>/sit/", seats.sit, name="match-sit"),
    path("match/<slug:slug>/invitations/", invitations.people, name="match-invitations"),
    path("match/<slug:slug>/invite/", invitations.invite, name="match-invite"),
    path("match/<slug:slug>/uninvite/", invitations.take_back, name="match-uninvite"),
    path("match/<slug:slug>/name/", seats.rename, name="match-name"),
    path("match/<slug:slug>/stand/", seats.stand_up, name="match-stand"),
    path("match/<slug:slug>/fill/", seats.fill_with_bots, name="match-fill"),
    path("match/<slug:slug>/nonce/", seats.nonce, name="match-nonce"),
    path("match/<slug:slug>/start/", seats.start, name="match-start"),
    path("match/<slug:slug>/rematch/", seats.rematch, name="match-rematch"),
]

table_urls: list[URLPattern] = [
    path("match/<slug:slug>/", table.page, name="match"),
    path("match/<slug:slug>/move/", table.move, name="match-move"),
    path("match/<slug:slug>/ready/", table.ready, name="match-ready"),
    path("match/<slug:slug>/absences/", absences.page, name="match-absences"),
    path("match/<slug:slug>/vote/", table.vote, name="match-vote"),
    path("match/<slug:slug>/why/", reasons.page, name="match-why"),
    path("match/<slug:slug>/leave/", table.leave, name="match-leave"),
    path("match/<slug:slug>/leave/price/", conduct.price, name="match-price"),
    path("match/<slug:slug>/chat/", table.say, name="match-chat"),
    path("match/<slug:slug>/mute/", table.mute, name="match-mute"),
    path("match/<slug:slug>/scores/", table.scores, name="match-scores"),
]

record_urls: list[URLPattern] = [
    path("match/<slug:slug>/record/", records.record, name="match-record"),
    path("match/<slug:slug>/record.txt", records.transcript, name="match-transcript"),
    path("people/<key:person_id>/matches.jsonl", records.of_person, {"ending": "jsonl"}, name="person-records"),
    path("people/<key:person_id>/matches.txt", records.of_person, {"ending": "txt"}, name="person-transcripts"),
]

review_urls: list[URLPattern] = [
    path("review/import/", imported.upload, name="review-import"),
    path("review/import/<slug:name>/", imported.page, name="review-imported"),
    path("review/import/<slug:name>/branch/", imported.branch, name="review-imported-branch"),
    path("review/import/<slug:name>/round/", imported.round_frames, name="review-imported-round"),
    path("review/import/<slug:name>/opinion/", imported.analysis_page, name="review-imported-analysis"),
    path("review/import/<slug:name>/verify/", imported.verify, name="review-imported-verify"),
    path("review/import/<slug:name>/record.<str:ending>", imported.record, name="review-imported-record"),
    path("match/<slug:slug>/card.png", social_preview.picture, name="match-social-preview"),
    path("match/<slug:slug>/embed/", embed.page, name="match-embed"),
    path("match/<slug:slug>/review/", review.page, name="match-review"),
    path("match/<slug:slug>/moments/", review.moments, name="match-moments"),
    path("match/<slug:slug>/mistakes/<int:number>/", mistakes.page, name="match-mistake"),
    path("match/<slug:slug>/review/round/", review.round_frames, name="match-review-round"),
    path("match/<slug:slug>/review/branch/", branch.page, name="match-branch"),
    path("match/<slug:slug>/review/opinion/", review.analysis_page, name="match-analysis"),
    path("match/<slug:slug>/review/invite/", shared_review.invite, name="match-review-invite"),
    path("match/<slug:slug>/review/chat/", shared_review.chat, name="match-review-chat"),
    path("match/<slug:slug>/verify/", verify.verify, name="match-verify"),
]

history_urls: list[URLPattern] = [
    path("matches/", history.matches, name="matches"),
    path("leaderboard/<slug:variant>/", ratings.leaderboard, name="leaderboard"),
    path("conduct/", conduct.page, name="conduct"),
    path("report/", reports.page, name="report"),
    path("report/done/", reports.done, name="report-done"),
    path("people/<key:person_id>/", history.person, name="person"),
    path("people/<key:person_id>/follow/", people.follow, name="person-follow"),
    path("people/<key:person_id>/block/", people.block, name="person-block"),
    path("invitations/<key:invitation_id>/refuse/", invitations.refuse, name="invitation-refuse"),
]

public_urls: list[URLPattern] = [
    path("privacy/", privacy.page, name="privacy"),
    path("moderation/figures/", privacy.figures, name="moderation-figures"),
]

rules_urls: list[URLPattern] = [
    path("puzzles/", puzzles.listed, name="puzzles"),
    path("puzzles/<slug:variant>/", puzzles.listed, name="puzzles-game"),
    path("puzzles/<slug:variant>/<str:day>/", puzzles.page, name="puzzle"),
    path("learn/<slug:variant>/", lessons.page, name="lesson"),
    path("learn/<slug:variant>/<int:number>/", lessons.page, name="lesson-task"),
    path("rules/", rules.index, name="rules"),
    path("rules/<slug:variant>/", rules.how_to_play, name="how-to-play"),
    path("fair-dealing/", rules.fair_dealing, name="fair-dealing"),
    path("fair-dealing/statistics/", rules.statistics, name="deal-statistics"),
    path("fair-dealing/<str:name>", rules.fair_dealing_file, name="fair-dealing-file"),
]

urlpatterns = [*lobby_urls, *table_urls, *record_urls, *review_urls, *history_urls, *public_urls, *rules_urls]
