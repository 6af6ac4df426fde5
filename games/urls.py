"""The addresses of the lobby, the tables, the history and the rules."""

from __future__ import annotations

from django.urls import URLPattern, path
from django.views.generic import TemplateView

from games.api.endpoints import API
from games.clubs import views as club_views
from games.conduct import views as conduct_views
from games.daily_boards import views as daily_boards_views
from games.fair_dealing import download_views
from games.fair_dealing import views as fair_dealing_views
from games.history import download_views as history_downloads
from games.history import follow_views
from games.history import views as history_views
from games.lessons import views as lessons_views
from games.lobby import invitation_views
from games.lobby import views as lobby_views
from games.moderation import views as moderation_views
from games.open_data import views as open_data_views
from games.puzzles import mistake_views
from games.records import views as records_views
from games.retention.schedule import RETENTION_SCHEDULE
from games.review import branch_views, shared_views
from games.review import views as review_views
from games.sharing import views as sharing_views
from games.tournaments import views as tournament_views
from games.tv import views as tv_views
from games.views import bot_reasons, seats, table

lobby_urls: list[URLPattern] = [
    path("tables/new/", lobby_views.new_table, name="table-new"),
    path("running/", lobby_views.running_match, name="running-match"),
    path("tv/", tv_views.tv_page, name="tv"),
    path("tv/boards/", tv_views.small_boards, name="tv-boards"),
    path("tv/<slug:variant>/boards/", tv_views.small_boards, name="tv-game-boards"),
    path("tv/<slug:variant>/", tv_views.tv_page, name="tv-game"),
    path("play/", seats.quick_play, name="quick-play"),
    path("match/<slug:slug>/sit/", seats.sit, name="match-sit"),
    path("match/<slug:slug>/invitations/", invitation_views.invitable_people_list, name="match-invitations"),
    path("match/<slug:slug>/invite/", invitation_views.invite, name="match-invite"),
    path("match/<slug:slug>/uninvite/", invitation_views.take_back, name="match-uninvite"),
    path("match/<slug:slug>/name/", seats.rename, name="match-name"),
    path("match/<slug:slug>/stand/", seats.stand_up, name="match-stand"),
    path("match/<slug:slug>/fill/", seats.fill_with_bots, name="match-fill"),
    path("match/<slug:slug>/nonce/", seats.give_nonce, name="match-nonce"),
    path("match/<slug:slug>/start/", seats.start, name="match-start"),
    path("match/<slug:slug>/rematch/", seats.rematch, name="match-rematch"),
]

daily_urls: list[URLPattern] = [
    path("daily/<slug:variant>/boards/next/", daily_boards_views.play_board, name="daily-play"),
    path("daily/<slug:variant>/<str:day>/check/", daily_boards_views.check_page, name="daily-check"),
    path("daily/<slug:variant>/<str:day>/proof.json", daily_boards_views.download_proof, name="daily-proof"),
]

tournament_urls: list[URLPattern] = [
    path("tournaments/new/", tournament_views.new_tournament, name="tournament-new"),
    path("tournament/<slug:slug>/", tournament_views.tournament_page, name="tournament"),
    path("tournament/<slug:slug>/start.ics", tournament_views.calendar_file, name="tournament-calendar"),
    path("tournament/<slug:slug>/events.json", tournament_views.download_events, name="tournament-events"),
    path("tournament/<slug:slug>/enter/", tournament_views.enter, name="tournament-enter"),
    path("tournament/<slug:slug>/board/<int:number>/", tournament_views.board_page, name="tournament-board"),
    path("tournament/<slug:slug>/nonce/", tournament_views.open_nonce, name="tournament-nonce"),
    path("tournament/<slug:slug>/here/", tournament_views.note_here, name="tournament-here"),
    path("tournament/<slug:slug>/withdraw/", tournament_views.withdraw, name="tournament-withdraw"),
    path("tournament/<slug:slug>/pause/", tournament_views.pause, name="tournament-pause"),
    path("tournament/<slug:slug>/return/", tournament_views.come_back, name="tournament-return"),
    path("tournament/<slug:slug>/partner/", tournament_views.ask_partner, name="tournament-partner"),
    path("tournament/<slug:slug>/accept/", tournament_views.accept, name="tournament-accept"),
    path("tournament/<slug:slug>/remove/", tournament_views.remove, name="tournament-remove"),
    path("tournament/<slug:slug>/cancel/", tournament_views.cancel, name="tournament-cancel"),
]

club_urls: list[URLPattern] = [
    path("clubs/new/", club_views.new_club, name="club-new"),
    path("club/<slug:slug>/", club_views.club_page, name="club"),
    path("club/<slug:slug>/edit/", club_views.edit_club, name="club-edit"),
    path("club/<slug:slug>/join/", club_views.join, name="club-join"),
    path("club/<slug:slug>/leave/", club_views.leave, name="club-leave"),
    path("club/<slug:slug>/accept/", club_views.accept, name="club-accept"),
    path("club/<slug:slug>/remove/", club_views.remove, name="club-remove"),
    path("club/<slug:slug>/lead/", club_views.name_leader, name="club-lead"),
]

table_urls: list[URLPattern] = [
    path("match/<slug:slug>/", table.table_page, name="match"),
    path("match/<slug:slug>/move/", table.move, name="match-move"),
    path("match/<slug:slug>/ready/", table.ready, name="match-ready"),
    path("match/<slug:slug>/absences/", conduct_views.absences, name="match-absences"),
    path("match/<slug:slug>/vote/", table.vote, name="match-vote"),
    path("match/<slug:slug>/why/", bot_reasons.bot_reasons_page, name="match-why"),
    path("match/<slug:slug>/leave/", table.leave, name="match-leave"),
    path("match/<slug:slug>/leave/price/", conduct_views.leaving_price, name="match-price"),
    path("match/<slug:slug>/chat/", table.post_chat_line, name="match-chat"),
    path("match/<slug:slug>/mute/", table.mute, name="match-mute"),
    path("match/<slug:slug>/scores/", table.scores, name="match-scores"),
]

record_urls: list[URLPattern] = [
    path("match/<slug:slug>/record/", records_views.download_record, name="match-record"),
    path("match/<slug:slug>/record.txt", records_views.download_transcript, name="match-transcript"),
    path(
        "people/<key:person_id>/matches.jsonl",
        history_downloads.download_matches,
        {"extension": "jsonl"},
        name="person-records",
    ),
    path(
        "people/<key:person_id>/matches.txt",
        history_downloads.download_matches,
        {"extension": "txt"},
        name="person-transcripts",
    ),
    path(
        "people/<key:person_id>/matches.csv",
        history_downloads.download_matches,
        {"extension": "csv"},
        name="person-table",
    ),
]

review_urls: list[URLPattern] = [
    path("review/import/", records_views.upload_record, name="review-import"),
    path("review/import/<slug:name>/", review_views.review_page, name="review-imported"),
    path("review/import/<slug:name>/branch/", branch_views.branch_page, name="review-imported-branch"),
    path("review/import/<slug:name>/round/", review_views.round_frames, name="review-imported-round"),
    path("review/import/<slug:name>/opinion/", review_views.analysis_page, name="review-imported-analysis"),
    path("review/import/<slug:name>/verify/", fair_dealing_views.verify_upload, name="review-imported-verify"),
    path(
        "review/import/<slug:name>/record.<str:extension>",
        records_views.download_upload,
        name="review-imported-record",
    ),
    path("match/<slug:slug>/card.png", sharing_views.preview_image, name="match-social-preview"),
    path(
        "puzzles/<slug:variant>/<int:number>/card.png",
        sharing_views.numbered_puzzle_image,
        name="puzzle-number-social-preview",
    ),
    path("puzzles/<slug:variant>/<str:day>/card.png", sharing_views.puzzle_image, name="puzzle-social-preview"),
    path("match/<slug:slug>/embed/", sharing_views.embedded_step, name="match-embed"),
    path("match/<slug:slug>/review/", review_views.review_page, name="match-review"),
    path("match/<slug:slug>/moments/", review_views.key_moments_card, name="match-moments"),
    path("match/<slug:slug>/mistakes/<int:number>/", mistake_views.mistake_page, name="match-mistake"),
    path("match/<slug:slug>/review/round/", review_views.round_frames, name="match-review-round"),
    path("match/<slug:slug>/review/branch/", branch_views.branch_page, name="match-branch"),
    path("match/<slug:slug>/review/opinion/", review_views.analysis_page, name="match-analysis"),
    path("match/<slug:slug>/review/invite/", shared_views.invite_table, name="match-review-invite"),
    path("match/<slug:slug>/review/chat/", shared_views.chat_page, name="match-review-chat"),
    path("match/<slug:slug>/verify/", fair_dealing_views.verify_match, name="match-verify"),
]

history_urls: list[URLPattern] = [
    path("matches/", history_views.match_list, name="matches"),
    path("conduct/", conduct_views.conduct_page, name="conduct"),
    path("report/", moderation_views.report_form_page, name="report"),
    path("report/done/", moderation_views.report_done, name="report-done"),
    path("people/<key:person_id>/", history_views.person_page, name="person"),
    path("people/<key:person_id>/follow/", follow_views.follow, name="person-follow"),
    path("people/<key:person_id>/block/", follow_views.block_person, name="person-block"),
    path("invitations/<key:invitation_id>/refuse/", invitation_views.block_inviter, name="invitation-block"),
]

public_urls: list[URLPattern] = [
    path(
        "privacy/",
        TemplateView.as_view(template_name="privacy/privacy.html", extra_context={"rules": RETENTION_SCHEDULE}),
        name="privacy",
    ),
    path("open-data/open-data.md", open_data_views.download_description, name="open-data-description"),
    path("open-data/<str:month>/<str:name>", open_data_views.download_file, name="open-data-file"),
    path("moderation/figures/", moderation_views.show_figures, name="moderation-figures"),
]

fair_dealing_urls: list[URLPattern] = [
    path("fair-dealing/", lessons_views.fair_dealing_page, name="fair-dealing"),
    path("fair-dealing/statistics/", lessons_views.deal_statistics, name="deal-statistics"),
    path("fair-dealing/<str:name>", download_views.download_file, name="fair-dealing-file"),
]

urlpatterns = [
    path("api/", API.urls),
    *lobby_urls,
    *daily_urls,
    *tournament_urls,
    *club_urls,
    *table_urls,
    *record_urls,
    *review_urls,
    *history_urls,
    *public_urls,
    *fair_dealing_urls,
]
