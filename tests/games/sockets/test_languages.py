"""People at one table read different languages, each only their own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from random import Random

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from games.chat.phrases import FORM_PHRASES
from games.engine.options import LENGTH_OPTION, QUICK
from games.engine.variants import rules_for
from games.models import Match
from games.words import offered_variants
from tests import seeds
from tests.foreign_texts import LANGUAGES, english_texts, foreign_texts, texts_of
from tests.games import tables
from tests.games.socket_browser import Browser, connect_to_table, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]

MOVES = 6


class Reader:
    """Somebody at a table: a player, or a spectator if ``user`` is None. Collects what they receive."""

    def __init__(self, match: Match, language: str, user: User | None) -> None:
        self.match = match
        self.language = language
        self.user = user
        self.received: list[str] = []

    async def open(self) -> None:
        """Load the page and open its socket."""
        await in_thread(self.load_page)()
        self.browser: Browser = await connect_to_table(self.match, self.user, language=self.language)
        await self.read_until("data-revision")

    def load_page(self) -> None:
        client = Client()
        if self.user:
            client.force_login(self.user)
        page = client.get(f"/match/{self.match.slug}/", headers={"accept-language": self.language})
        self.received.insert(0, page.content.decode())

    async def read_until(self, content: str) -> str:
        """Read frames until one has this content, and return it."""
        async with asyncio.timeout(10):
            while content not in (frame := await self.browser.next_frame()):
                self.received.append(frame)
        self.received.append(frame)
        return frame

    async def send_and_read(self, content: str, **data: object) -> str:
        await self.browser.send_message(**data)
        return await self.read_until(content)

    def foreign_texts(self, languages: Iterable[str]) -> list[str]:
        """Return the texts in one of these languages and in English that this person was shown."""
        texts = set().union(*map(texts_of, self.received))
        foreign = [text for language in languages for text in foreign_texts(self.language, language).found_in(texts)]
        return foreign + (english_texts(self.language, texts) if self.language != "en" else [])


@pytest.mark.parametrize("variant", offered_variants())
async def test_players_and_spectators_read_only_their_own_language(variant: str) -> None:
    languages = Random(seeds.run_seed()).sample(LANGUAGES, 3)
    people = [
        await in_thread(tables.person)(name, language=language)
        for name, language in zip(("Zora", "Yago"), languages, strict=False)
    ]
    options = {LENGTH_OPTION.name: QUICK} if LENGTH_OPTION in rules_for(variant).options else {}
    match = await in_thread(tables.running_table)(people, variant=variant, options=options, clock="none")
    readers = [Reader(match, language, user) for language, user in zip(languages, (*people, None), strict=True)]
    for reader in readers:
        await reader.open()

    await chat(readers)
    await be_refused(readers)
    await move(match, readers)
    await in_thread(tables.play_round)(match)
    await read_newest(match, readers)
    await in_thread(tables.play_until)(match, lambda _state: False)
    await read_newest(match, readers)
    for reader in readers:
        await in_thread(reader.load_page)()
        foreign_languages = set(languages) - {reader.language}
        assert reader.foreign_texts(foreign_languages) == [], (reader.language, languages)


async def chat(readers: list[Reader]) -> None:
    """Let a player send a preset phrase, which everybody reads in their own language."""
    await readers[0].browser.send_message(type="chat", phrase="luck")
    for reader in readers:
        with translation.override(reader.language):
            await reader.read_until(str(FORM_PHRASES["luck"]))


async def be_refused(readers: list[Reader]) -> None:
    """Let everybody try a move that is no move, and a line of chat that is too long."""
    for reader in readers:
        await reader.send_and_read('id="notice"', type="move", move="nonsense", v=1)
        await reader.send_and_read('id="notice"', type="chat", text="x" * 1000)


async def move(match: Match, readers: list[Reader]) -> None:
    for _move in range(MOVES):
        mover = await in_thread(tables.player_to_move)(match)
        reader = next(reader for reader in readers if reader.user == mover)
        text, version = await in_thread(lambda: (tables.first_legal_move(match), tables.locked_row(match).version))()
        await reader.browser.send_message(type="choose", tile=text.partition(" ")[0])
        await reader.browser.send_message(type="move", move=text, v=version)
        await read_newest(match, readers, version + 1)


async def read_newest(match: Match, readers: list[Reader], version: int = 0) -> None:
    """Let everybody read the table as it is now."""
    while (row := await in_thread(tables.locked_row)(match)).version < version:
        await asyncio.sleep(0.01)
    newest = f'data-revision="{row.revision}"'
    for reader in readers:
        if newest not in reader.received[-1]:
            await reader.read_until(newest)
