"""Search engines find the public pages in every language."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client

from games.words import offered_variants
from tests.foreign_texts import english_texts, texts_of

OTHERS = [code for code, _name in settings.LANGUAGES if code != "en"]
LOCALES = {"en": "en_GB", "hu": "hu_HU", "cs": "cs_CZ", "sk": "sk_SK", "it": "it_IT", "pl": "pl_PL"}
PUBLIC_PAGES = [
    "/",
    "/rules/",
    "/rules/kozel/",
    "/learn/rytmino/",
    "/puzzles/",
    "/tournaments/",
    "/clubs/",
    "/daily/",
    "/open-data/",
]
PUBLIC_PAGES += ["/leaderboard/all_fives/", "/leaderboard/kozel/bots/", "/daily/kozel/"]
RULES = [f"/rules/{game}/" for game in offered_variants() if game != "kozel"]


def alternates(page: str) -> dict[str, str]:
    return dict(re.findall(r'<link rel="alternate" hreflang="([\w-]+)" href="http://testserver([^"]*)">', page))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("address", [*PUBLIC_PAGES, *RULES])
def test_public_page_has_its_language_and_names_the_others(client: Client, address: str, language: str) -> None:
    page = client.get(f"/{language}{address}").content.decode()
    assert f'<html lang="{language}"' in page
    assert english_texts(language, texts_of(page)) == []
    assert f'<link rel="canonical" href="http://testserver/{language}{address}">' in page
    expected = {code: f"/{code}{address}" for code in OTHERS} | {"en": address, "x-default": address}
    assert alternates(page) == expected
    locales = re.findall(r'<meta property="og:locale(?::alternate)?" content="(\w+)">', page)
    assert (locales[0], sorted(locales)) == (LOCALES[language], sorted(LOCALES.values()))


@pytest.mark.parametrize("address", PUBLIC_PAGES)
def test_english_page_names_the_other_languages(client: Client, address: str) -> None:
    expected = {code: f"/{code}{address}" for code in OTHERS} | {"en": address, "x-default": address}
    assert alternates(client.get(address).content.decode()) == expected


@pytest.mark.parametrize("address", PUBLIC_PAGES)
def test_public_page_has_a_description(client: Client, address: str) -> None:
    page = client.get(address).content.decode()
    assert re.search(r'<meta name="description" property="og:description" content="[^"]{20,160}">', page)


def test_other_pages_have_no_alternates(client: Client) -> None:
    page = client.get("/privacy/").content.decode()
    assert alternates(page) == {}
    assert "canonical" not in page
    assert '<meta property="og:locale" content="en_GB">' in page


def test_sitemap_lists_every_page_in_every_language(client: Client) -> None:
    answer = client.get("/sitemap.xml")
    assert answer["Content-Type"] == "application/xml"
    addresses = re.findall(r"<loc>http://testserver([^<]*)</loc>", answer.content.decode())
    assert len(addresses) == len(set(addresses)) == (8 + 6 * len(offered_variants())) * len(settings.LANGUAGES)
    assert {"/", "/hu/", "/pl/rules/kozel/", "/puzzles/"} <= set(addresses)
    for address in addresses:
        assert client.get(address).status_code == 200, address


def test_robots_txt_names_the_sitemap(client: Client) -> None:
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert "Sitemap: http://testserver/sitemap.xml" in lines
    assert "Disallow: /admin/" in lines
