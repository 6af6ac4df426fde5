"""Link previews of pages, and the addresses that a page offers for sharing."""

from __future__ import annotations

import html
import re

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Match
from games.moderation import reversals
from games.puzzles import daily
from games.services import demo, play
from games.words import offered_variants
from tests.games import tables
from tests.games.finished import create_finished_match
from tests.games.reviewed import play_random_moves, stop_match

HOST = "http://testserver"
META = re.compile(r'<meta (?:property|name)="(og:[\w:]+|twitter:card)" content="([^"]*)">')
FRAME = re.compile(r'<iframe src="([^"]+)" width="480" height="360" title="[^"]+" loading="lazy"></iframe>')
COPIED = re.compile(r'<input id="(share-\w+)"\s+readonly\s+value="([^"]*)">')


def meta(page: str) -> dict[str, str]:
    return {name: html.unescape(content) for name, content in META.findall(page)}


def copied(page: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in COPIED.findall(page)}


def page_of(name: str, *args: object, **query: str) -> str:
    return Client().get(reverse(name, args=args), query).content.decode()


def test_a_link_to_a_table_shows_the_game_the_players_and_the_card() -> None:
    match = tables.running_table([tables.person('Ann "<b>'), tables.person("Ben")])
    tags = meta(page_of("match", match.slug))
    assert tags["og:title"] == 'Kozel: Ann "<b>, Ben'
    assert tags["og:image"] == f"{HOST}/match/{match.slug}/card.png?lang=en"
    assert tags["og:url"] == f"{HOST}/match/{match.slug}/"
    assert tags["twitter:card"] == "summary_large_image"
    assert Client().get(tags["og:image"].removeprefix(HOST)).status_code == 200


def test_a_link_to_a_step_shows_the_table_after_it() -> None:
    match = stop_match(play_random_moves("kozel", 3))
    tags = meta(page_of("match-review", match.slug, at="2"))
    assert tags["og:image"] == f"{HOST}/match/{match.slug}/card.png?at=2&lang=en"
    assert tags["og:url"] == f"{HOST}/match/{match.slug}/review/?at=2"


def test_a_link_to_a_running_match_offers_to_watch_it() -> None:
    match = play_random_moves("kozel", 3)
    for name in ("match", "match-review"):
        tags = meta(page_of(name, match.slug))
        assert tags["og:title"].startswith("Kozel: ")
        assert tags["og:description"] == "A dominoes match to watch live and to review move by move."


def test_a_link_to_a_finished_match_says_how_it_ended() -> None:
    match = tables.running_table([tables.person("Ann"), tables.person('Ben "<b>')])
    play.stop_match(match_id=match.pk)
    tags = meta(page_of("match", match.slug))
    assert tags["og:title"] == 'Kozel, finished: Ann, Ben "<b>'
    assert tags["og:description"] == "The match was stopped. Review the match move by move."
    step = meta(page_of("match-review", match.slug, at="1"))
    assert step["og:title"] == 'Kozel, step 1 of 2: Ann, Ben "<b>'
    assert step["og:description"] == tags["og:description"]


def test_a_link_to_a_finished_match_names_the_winner() -> None:
    match = tables.running_table([tables.person("Ann"), tables.person("Ben")], variant="rytmino")
    tables.play_until(match, lambda _state: False)
    winner = match.seats.get(place=1).name
    for name in ("match", "match-review"):
        description = meta(page_of(name, match.slug))["og:description"]
        assert description == f"{winner} wins. Review the match move by move."


def test_a_link_to_a_delayed_match_does_not_say_too_early_that_it_is_over() -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben], delay="120")
    play.leave_match(match_id=match.pk, user_id=ben.pk)
    assert meta(page_of("match", match.slug))["og:title"] == "Kozel: Ann, Ben"


def test_a_link_to_a_puzzle_shows_its_position() -> None:
    day = daily.puzzle_of_day("kozel", timezone.now()).day
    address = f"/puzzles/kozel/{day}/"
    tags = meta(Client().get(address).content.decode())
    assert tags["og:title"].startswith("Kozel, puzzle of ")
    assert tags["og:url"] == f"{HOST}{address}"
    assert tags["og:image"] == f"{HOST}{address}card.png?lang=en"
    assert tags["twitter:card"] == "summary_large_image"


def test_sharing_a_match_between_bots_says_how_long_it_is_kept() -> None:
    text = "Only bots play here: this match is deleted 30 days after its end."
    demo.ensure_bot_match(offered_variants()["kozel"])
    match = Match.objects.get()
    embed = f'hx-get="{reverse("match-embed", args=[match.slug])}"'
    channel = page_of("tv")
    assert text in " ".join(channel.split())
    assert embed in channel
    assert not Match.objects.get().visited
    page = page_of("match", match.slug)
    assert text in " ".join(page.split())
    assert embed not in page
    assert text in " ".join(page_of("match-review", match.slug).split())
    match = tables.running_table([tables.person("Ann")], bots=1)
    assert "Only bots play" not in page_of("match", match.slug)


def test_a_match_that_is_gone_is_not_called_mistyped() -> None:
    ann = tables.person("Ann")
    void = create_finished_match([ann, tables.person("Ben")])
    reversals.make_void(void)
    pages = [
        Client().get(reverse(name, args=[slug])) for name in ("match", "match-review") for slug in ("gone", void.slug)
    ]
    for page in pages:
        assert page.status_code == 404
        assert "This match does not exist, it is gone, or it was declared void." in page.content.decode()
        assert "mistyped" not in page.content.decode()
    assert "mistyped" in Client().get("/no-such-page/").content.decode()


def test_a_link_to_a_person_shows_the_newest_match_that_everybody_finds() -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = create_finished_match([ann, ben])
    create_finished_match([ann, ben], visibility="link")
    tags = meta(page_of("person", ann.pk))
    assert tags["og:title"] == "Ann"
    assert tags["og:image"] == f"{HOST}/match/{match.slug}/card.png?lang=en"


def test_a_table_offers_its_address_and_the_code_of_its_frame() -> None:
    match = tables.running_table([tables.person("Ann"), tables.person("Ben")])
    links = copied(page_of("match", match.slug))
    assert links["share-address"] == f"{HOST}/match/{match.slug}/"
    frame = FRAME.fullmatch(links["share-frame"])
    assert frame
    assert frame[1] == f"{HOST}/match/{match.slug}/embed/"


def test_the_buttons_that_copy_are_there_before_any_script_has_run() -> None:
    match = tables.open_table([tables.person("Ann")], bots=1)
    client = tables.browser_of(match.host)
    page = client.get(reverse("match", args=[match.slug])).content.decode()
    buttons = re.findall(r"<button[^>]*data-copy[^>]*>", page)
    assert buttons
    assert all(" hidden" not in button for button in buttons)


def test_a_running_match_offers_no_record() -> None:
    match = play_random_moves("kozel", 3)
    for page in (page_of("match", match.slug), page_of("match-review", match.slug)):
        assert 'id="share"' in page
        assert reverse("match-record", args=[match.slug]) not in page
    stop_match(match)
    assert reverse("match-transcript", args=[match.slug]) in page_of("match", match.slug)


def test_a_match_that_is_over_offers_each_record_in_one_place() -> None:
    match = stop_match(play_random_moves("kozel", 3))
    for page in (page_of("match", match.slug), page_of("match-review", match.slug)):
        for name in ("match-record", "match-transcript"):
            assert page.count(f'href="{reverse(name, args=[match.slug])}"') == 1


def test_a_review_offers_the_address_of_its_step_and_what_can_be_kept() -> None:
    match = stop_match(play_random_moves("kozel", 3))
    page = page_of("match-review", match.slug, at="3")
    fields = copied(page)
    assert fields["share-address"] == f"{HOST}/match/{match.slug}/review/?at=3&as=open"
    assert f'src="{HOST}/match/{match.slug}/embed/?at=3&as=open"' in fields["share-frame"]
    names = ("match-record", "match-transcript", "match-verify")
    links = [*(reverse(name, args=[match.slug]) for name in names), reverse("review-import")]
    assert all(f'href="{link}"' in page for link in links)
    assert {link: Client().get(link).status_code for link in links} == dict.fromkeys(links, 200)


def test_a_record_from_a_file_offers_nothing_to_hand_on() -> None:
    match = stop_match(play_random_moves("kozel", 3))
    client = Client()
    transcript = client.get(reverse("match-transcript", args=[match.slug])).content.decode()
    response = client.post(reverse("review-import"), {"text": transcript}, follow=True)
    assert response.redirect_chain
    assert b'id="share"' not in response.content
    assert b"og:image" not in response.content
