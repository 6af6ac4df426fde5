"""Refusals of the site. Those of the rules are ``games.engine.refusal``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise

# The sentence for each code; a refusal can bring a text of its own.
REFUSAL_TEXTS: dict[str, Text] = {
    "stale": _("The match has moved on. Nothing was played. Please try again."),
    "replaced": _("A bot is playing for you. Press “Play on” to take your seat back."),
    "forfeited": _("Your seat is lost: leaving and the third absence are final. A bot plays on."),
    "failed": _("Something went wrong. Nothing was changed. Please try again."),
    "unavailable": _("The site is temporarily unavailable. Nothing was changed. Please try again soon."),
    "not_seated": _("You do not have a seat at this table."),
    "cannot_invite": _("You cannot invite this person to this table."),
    "no_guests": _("Bots fill quick games within seconds, so you cannot invite anybody."),
    "invited": _("This person already has an invitation to this table."),
    "invited_often": _("You can invite a person three times an hour. Try again later."),
    "invited_enough": _("This person has enough invitations right now. Try again later."),
    "not_host": _("Only the host of this table can do that."),
    "not_open": _("This table is no longer open. The match has started or is over."),
    "starting": _("The match is starting. Seats and texts for the shuffle can no longer change."),
    "not_running": _("This match is not running."),
    "not_finished": _("This match is not finished yet."),
    "rematch_declined": _("Another player declined the rematch."),
    "no_round_over": _("No round of this match is over yet."),
    "finished": _("This match is over."),
    "led": _("Somebody else is already leading. You can follow."),
    "nameless": _("You need a name to lead. Log in, or play as a guest."),
    "bots_late": _("The bots could not answer. Please try again."),
    "no_choice": _("There is nothing to choose here."),
    "seat_taken": _("Somebody else has just taken this seat."),
    "table_full": _("Every seat at this table is taken."),
    "name_taken": _(
        "Somebody at this table already has a name like yours. Change yours in the settings, then take a seat."
    ),
    "already_seated": _("You already sit at this table."),
    "empty_seats": _("The match can start once every seat is taken. Wait for players, or fill the seats with bots."),
    "matches_paused": _("New matches are paused. Running matches go on."),
    "suspended": _("You are suspended and cannot play right now."),
    "paused": _("Rated play is paused for you. You can play casual matches."),
    "costs": _("Leaving this seat now costs a conduct point. Press again to leave."),
    "no_name": _("You need a name to write here. Log in, or play as a guest."),
    "muted": _("You are muted and cannot write right now."),
    "chat_closed": _("A moderator has closed the chats of this table."),
    "chat_slow": _("This chat is slow now. You can write a line every 20 seconds."),
    "many_guests": _("Many new guests come from your network. Play, log in, or write in ten minutes."),
    "phrases_only": _("This table allows only preset phrases."),
    "rated_has_clock": _("Rated matches need a clock. Choose a time limit, or a casual match."),
    "rated_is_full": _("Rated matches are always full. Choose the full length, or a casual match."),
    "own": _("You cannot report yourself."),
    "nobody_chosen": _("Choose the person you want to report."),
    "gone": _("This account no longer exists."),
    "reported": _("We already have your report. A moderator will look at it."),
    "too_many_reports": _("That is enough reports for today. Try again tomorrow."),
    "reports_refused": _("Moderators dismissed your last reports. They take no more from you this week."),
    "case_closed": _("This case is closed."),
    "case_held": _("Another moderator is working on this case."),
    "case_proposed": _("Another moderator has proposed a decision. It waits for approval."),
    "bad_request": _("The site did not understand that."),
    "days_need_account": _("Guests cannot open daily matches. Create an account, or choose another clock."),
    "too_many_open": _("You have three open daily tables. Wait until one starts, or close one."),
    "no_table": _("This table does not exist, or it is gone."),
    "needs_account": _("Guests cannot do this. Create an account first."),
    "already_entered": _("You have already entered this tournament."),
    "not_entered": _("You have not entered this tournament."),
    "tournament_full": _("Every place in this tournament is taken."),
    "too_late": _("It is too late to enter this tournament."),
    "tournament_over": _("This tournament is over."),
    "tournament_stale": _("The tournament has moved on. Nothing was changed. Please try again."),
    "tournament_host": _("Only the host of this tournament can do that."),
    "entry_refused": _("The host or a moderator has taken you off the list of this tournament."),
    "entry_name": _("Somebody in this tournament has a name like yours. Change yours in the settings, then enter."),
    "entry_rating": _("Your rating does not fit this tournament. It must be settled and in its range."),
    "entry_matches": _("You have not played enough rated matches of this game for this tournament."),
    "too_many_tournaments": _("You already host two tournaments. Wait until one of them is over."),
    "entry_club": _("Only members of the club can enter this tournament."),
    "no_club": _("This club does not exist, or it is closed."),
    "club_leader": _("Only leaders of the club can do that."),
    "club_refused": _("You cannot join this club."),
    "club_full": _("This club has no more room."),
    "club_name": _("There is already a club with this name."),
    "club_young": _("You can found a club seven days after you signed up."),
    "club_address": _("Confirm your email address in the settings first."),
    "too_many_clubs": _("You are in too many clubs. Leave one first."),
    "not_member": _("You are not a member of this club."),
    "no_member": _("This person is not on the list any more."),
    "too_many_leaders": _("A club has at most ten leaders."),
    "last_leader": _("You are the only leader. Name another one before you leave."),
    "no_boards": _("There are no boards to play right now. Try again in a few minutes."),
    "all_boards": _("You have played all boards of today."),
    "bots_casual": _("Bots can only play casual tables."),
    "bots_apart": _("Bots can only enter tournaments of bots."),
    "bots_only": _("Only bots can enter this tournament."),
    "bots_terms": _(
        "Tournaments of bots are casual arenas or Swiss tournaments, without a club or limits on ratings."
    ),
    "bots_invited": _("Bots can only sit down where somebody has invited them, and at tables of bots."),
    "bots_many": _("This bot has opened enough tables today. Try again tomorrow."),
    "ended": _("You are logged out. Reload the page."),
    "too_fast": _("That was too fast. Wait a moment, then try again."),
}


class Refused(Exception):
    """A refusal: ``code`` for programs, ``text`` (lazily translated) for people, ``rule`` an id or None."""

    def __init__(self, code: str, text: Text | None = None, *, rule: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.text: Text = text if text is not None else REFUSAL_TEXTS[code]
        self.rule = rule
