"""Felts and sets of tiles: drawn to be chosen, and told apart by everybody, by day and by night."""

from __future__ import annotations

import re
from itertools import combinations, product
from math import dist
from pathlib import Path

import pytest
from django.test import Client

from accounts.models import User

CSS = Path(__file__).parents[2] / "static" / "css"
RULE = re.compile(r"([^{}/]+) \{([^{}]*)\}")
TOKEN = re.compile(r"--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));")
TEXT, SHAPE = 4.5, 3
# A value with a colour that is no token; shadows are black.
OWN_COLOUR = re.compile(
    r":[^;{}]*(?:#[0-9a-f]{3,8}\b|rgb\((?!from var|0 0 0 /)|hsl|oklch|\b(?:white|black)\b)[^;{}]*;"
)
MIN_DISTANCE = 15  # between colours (CIE 1976 L*a*b*); 2.3 is just noticeable
# Linear light as seen without a kind of cone (Machado, Oliveira and Fernandes 2009).
SEEN = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
Light = tuple[float, ...]


def tokens(*names: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the colours by day and by night where these attributes hold."""
    day: dict[str, str] = {}
    night: dict[str, str] = {}
    for sheet in ("tokens", "looks"):
        for selectors, body in RULE.findall((CSS / f"{sheet}.css").read_text()):
            if {selector.strip().strip("[]") for selector in selectors.split("*/")[-1].split(",")} & {":root", *names}:
                for name, light, dark, both in TOKEN.findall(body):
                    day[name], night[name] = light or both, dark or both
    return day, night


def linear(colour: str) -> Light:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def luminance(light: Light) -> float:
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(linear(one)), luminance(linear(other))), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def lab(light: Light) -> Light:
    red, green, blue = (min(1.0, max(0.0, part)) for part in light)
    x, z = 0.4124 * red + 0.3576 * green + 0.1805 * blue, 0.0193 * red + 0.1192 * green + 0.9505 * blue
    roots = [
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (x / 0.9505, luminance((red, green, blue)), z / 1.089)
    ]
    return 116 * roots[1] - 16, 500 * (roots[0] - roots[1]), 200 * (roots[1] - roots[2])


def seen_by(kind: str, colour: str) -> Light:
    return lab(tuple(sum(map(float.__mul__, map(float, row), linear(colour))) for row in SEEN[kind]))


def test_table_has_only_colours_from_tokens() -> None:
    pages = "".join((CSS.parent / "pages" / f"{name}.css").read_text() for name in ("table", "lobby"))
    names = set(re.findall(r"css/(\w+)\.css", pages)) - {"waiting", "accessibility"}  # a QR code is black on white
    colours = {name: OWN_COLOUR.findall((CSS / f"{name}.css").read_text()) for name in names}
    assert len(names) > 10
    assert colours == {name: [] for name in names}


@pytest.mark.parametrize("felt", User.Felt.values)
def test_words_and_gold_can_be_read_on_every_felt(felt: str) -> None:
    for colours in tokens(f'data-felt="{felt}"'):
        for ground, ink in product(("felt", "felt-edge", "felt-plate"), ("on-felt", "on-felt-soft")):
            assert contrast(colours[ground], colours[ink]) >= TEXT, (ground, ink)
        assert contrast(colours["felt-plate"], colours["glow"]) >= TEXT
        assert contrast(colours["felt"], colours["gain"]) >= 5
        assert contrast(colours["felt"], colours["glow"]) >= (SHAPE if felt == "green" else TEXT)


@pytest.mark.parametrize("tiles", User.Tiles.values)
def test_pips_and_edges_can_be_seen_on_every_tile(tiles: str) -> None:
    for colours in tokens(f'data-tiles="{tiles}"', "data-tiles"):
        pips = [colours[name] for name in colours if name.startswith("pip")]
        for ground, pip in product(("bone", "bone-shade"), pips):
            assert contrast(colours[ground], pip) >= SHAPE, (ground, pip)


def test_tiles_stand_out_from_every_felt() -> None:
    for tiles, felt in product(User.Tiles.values, User.Felt.values):
        for colours in tokens(f'data-tiles="{tiles}"', f'data-felt="{felt}"'):
            outer = max(contrast(colours["felt"], colours[part]) for part in ("bone", "bone-edge"))
            assert outer >= SHAPE, (tiles, felt)


@pytest.mark.parametrize("kind", SEEN)
def test_coloured_pips_are_distinguishable_for_everybody(kind: str) -> None:
    colours = tokens('data-tiles="colours"')[0]
    pips = [seen_by(kind, colours[f"pip-{number}"]) for number in range(1, 7)]
    assert min(dist(one, other) for one, other in combinations(pips, 2)) >= MIN_DISTANCE


def test_each_choice_is_a_radio_button_with_a_drawing(client: Client) -> None:
    client.force_login(User.objects.create_user("masha"))
    page = client.get("/accounts/settings/").content.decode()
    for name, values in {"felt": User.Felt.values, "tiles": User.Tiles.values}.items():
        drawn = re.findall(rf'<input type="radio"\s+name="{name}"[^>]*>\s*<svg[^>]* data-{name}="(\w+)"', page)
        assert drawn == values
    assert 'id="look-tiles"' in page


def test_choice_at_the_table_is_saved_in_the_settings(client: Client) -> None:
    user = User.objects.create_user("masha", sound=True, two_taps=True)
    client.force_login(user)
    response = client.post("/accounts/looks/", {"felt": "blue", "tiles": "dark", "next": "/match/abc/"})
    assert response.headers["Location"] == "/match/abc/"
    user.refresh_from_db()
    assert (user.felt, user.tiles, user.sound, user.two_taps) == ("blue", "dark", True, True)
    assert client.post("/accounts/looks/", {"felt": "grass", "tiles": "dark"}).status_code == 400
