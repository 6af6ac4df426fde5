"""Random attempts of a bot to get where only people play: through the API, and with a session through every form."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from accounts import bots
from accounts.models import ApiToken, User
from accounts.tokens.issuing import create_token
from games.lobby import quick_play
from games.models import Entry, Invitation, Match, RatingChange, RatingPoints, Seat, Tournament
from games.ratings import disclosed_ratings
from games.words import offered_variants
from tests.games.api.test_document import all_operations, api_document, example_body
from tests.games.tables import open_table, person
from tests.games.tournaments.test_pages import upcoming
from tests.viewers import named_url_patterns

# Values of fields and of addresses that would lead into the places of people.
FIELDS: dict[str, list[Any]] = {
    "variant": list(offered_variants()),
    "game": list(offered_variants()),
    "stakes": ["rated"],
    "rated": [True, "true", "on"],
    "visibility": ["public", "link"],
    "seats": [2, 3, 4],
    "clock": ["normal", "fast", "none"],
    "delay": ["none"],
    "option_length": ["full", "quick"],
    "options": [{"length": "full"}, {"length": "quick"}],
    "length": ["quick", "full"],
    "index": [0, 1, 2, ""],
    "seat": [0, 1, 2, None],
    "v": [1, 5],
    "version": [1, 5],
    "move": ["6-4", "pass", "draw"],
    "level": ["beginner", "master"],
    "name": ["Goat cup"],
    "format": ["arena", "swiss", "duplicate"],
    "starts": [10, 30],
    "minutes": [30],
    "rounds": [5],
    "entry": [1, 2],
    "sure": ["on"],
    "commitment": ["0" * 64],
    "host": ["bot"],
    "bots": ["1", True],
}
ENTRANCES = {"quick-play", "table-new", "match-sit", "match-rematch", "tournament-enter", "tournament-partner"}
WEIGHT = 20  # of an entrance, relative to other forms
SKIPPED = ("admin:", "account_", "mfa_", "api:", "account-delete", "set")


@dataclass
class ClosedDoors:
    """A bot, the tables and tournaments of people around it, and its attempts."""

    rng: Random
    answers: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.owner = person("Max", date_joined=timezone.now() - timedelta(days=30))
        self.people = [self.owner, *(person(name) for name in ("Ann", "Ben", "Cleo", "Dan"))]
        self.bot = bots.create_bot(owner=self.owner, name="Deep Goat")
        scopes = list(ApiToken.Scope.values)
        self.headers = {"authorization": f"Bearer {create_token(user=self.bot, name='all', scopes=scopes)}"}
        self.browser = Client()
        self.browser.force_login(self.bot)
        self.names = [
            (name, keys)
            for name, keys in named_url_patterns(get_resolver())
            if not name.startswith(SKIPPED) and keys <= {"slug", "variant", "person_id"}
        ]
        self.renew()

    def renew(self) -> None:
        """Lay tables of people with a free seat, casual and rated, a quick game and tournaments."""
        Match.objects.filter(status=Match.Status.OPEN).update(status=Match.Status.VOID)
        for rated in (False, True):
            for variant in offered_variants():
                match = open_table(self.people[:3], variant=variant, rated=rated)
                match.seats.filter(index=2).update(user=None, name="", colour="")
                if self.rng.random() < 0.5:
                    Invitation.objects.create(match=match, invited=self.bot, inviter=self.owner)
        quick_play.join_quick_game(user=self.people[4], variant=self.rng.choice(list(offered_variants())))
        upcoming(rated=True)
        upcoming(host=self.owner)

    def attempt(self) -> None:
        """Try one door, chosen at random, without a seat at any table."""
        Match.objects.filter(seats__user=self.bot, status__in=Match.UNFINISHED).update(status=Match.Status.VOID)
        response = self.rng.choice((self.call_api, self.send_form, self.be_invited))()
        self.answers[f"{response.status_code}"] += 1

    def call_api(self) -> Any:
        path, method, operation = self.rng.choice(list(all_operations(api_document())))
        body = (example_body(operation, api_document()) or {}) | self.some_fields()
        options = {} if method == "get" else {"data": json.dumps(body), "content_type": "application/json"}
        return getattr(Client(), method)(self.filled(path), headers=self.headers, **options)

    def send_form(self) -> Any:
        weights = [WEIGHT if name in ENTRANCES else 1 for name, _keys in self.names]
        ((name, keys),) = self.rng.choices(self.names, weights)
        address = reverse(name, kwargs={key: self.value(key, name) for key in keys})
        data = {key: value for key, value in self.some_fields().items() if isinstance(value, (str, int))}
        return self.browser.post(address, data)

    def be_invited(self) -> Any:
        """Sit down where the owner has invited the bot."""
        match = self.rng.choice(list(Match.objects.filter(status=Match.Status.OPEN)))
        owner = Client()
        owner.force_login(self.owner)
        owner.post(reverse("match-invite", args=[match.slug]), {"person": self.bot.pk})
        return Client().post(
            f"/api/match/{match.slug}/sit", "{}", content_type="application/json", headers=self.headers
        )

    def some_fields(self) -> dict[str, Any]:
        share = self.rng.choice((0.1, 0.5, 1))
        return {name: self.rng.choice(values) for name, values in FIELDS.items() if self.rng.random() < share}

    def filled(self, path: str) -> str:
        return path.format(**{key: self.value(key, path) for key in ("slug", "variant", "person_id")})

    def value(self, key: str, place: str) -> str:
        if key == "variant":
            return self.rng.choice(list(offered_variants()))
        if key == "person_id":
            return str(self.rng.choice(self.people).pk)
        model = Tournament if "tournament" in place else Match
        return str(self.rng.choice(list(model.objects.order_by("-pk").values_list("slug", flat=True)[:30])))

    def breaches(self) -> Iterator[str]:
        """Yield where the bot has got in."""
        seats = Seat.objects.filter(user__bot_owner__isnull=False)
        breached = {
            "a rated match": seats.filter(match__rated=True).exists(),
            "a quick game": seats.filter(match__due_kind=Match.Due.FILL).exists(),
            "a table of a tournament": seats.filter(match__tournament_table__isnull=False).exists(),
            "ratings": RatingChange.objects.filter(user__bot_owner__isnull=False).exists(),
            "rating points": RatingPoints.objects.filter(user__bot_owner__isnull=False).exists(),
            "a tournament": Entry.objects.filter(user__bot_owner__isnull=False).exists(),
            "a leaderboard": any(self.is_leader(variant) for variant in offered_variants()),
        }
        yield from (place for place, is_breached in breached.items() if is_breached)

    def is_leader(self, variant: str) -> bool:
        leaders: list[User] = [row.user for row in disclosed_ratings.leaders(variant, since=None)]
        return any(user.is_bot for user in leaders)
