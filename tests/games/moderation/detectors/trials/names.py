"""Newcomers with everyday names among the staff, the leaders and the others at a table, then imitators."""

from __future__ import annotations

from random import Random

from django.core.exceptions import ValidationError

from accounts.names.confusables import look_alike
from accounts.names.rules import ANIMALS, clean_name
from games.moderation.detectors import names
from tests.games.moderation.detectors.trials.rate import Rate, Trial

# First names, many of them similar to another, which may be taken for an imitation.
TWINS = """
Anna Ana Hanna Hannah Johanna Joanna Susanna Susan Maria Marie Mario Martin Martina Marta Martha Marek Mark
Markus Magnus Christina Christine Kristina Katarina Katerina Katharina Ekaterina Natalia Natalie Julia Julie
Julian Juliana Daniel Daniela Danielle Michael Michal Michaela Mikhail Miguel Gabriel Gabriela Alexander
Alexandra Alexandre Alejandro Aleksander Andrea Andreas Andrew Andrei Sandra Sandro Thomas Tomas Tobias
Stefan Stephan Stefania Stephanie Steffen Sebastian Bastian Benjamin Benedikt Viktor Viktoria Victor
Victoria Veronika Monika Dominik Dominika Lukas Lucas Lucia Luisa Louise Laura Lauren Lorenz Lorenzo Emma
Emilia Emily Emil Elena Helena Helene Magdalena Margarita Margareta Greta Peter Petra Pavel Pawel Paul Paula
Paulina Philipp Philip Filip Jakub Jakob Jonas Johannes Johan Jan Janos Istvan Ferenc Laszlo Zoltan Szilvia
Ildiko Eszter Agnes Agnieszka Malgorzata Grzegorz Krzysztof Wojciech Vaclav Jaroslav Miroslav Miloslav
Vladimir Dmitri Sergei Nikolai Nikola Nicolas Nicole Giovanni Giuseppe Francesco Francesca Federico Fatima
Mohammed Muhammad Ahmed Hassan Hussein Mehmet Mustafa Yusuf Ibrahim Abdullah
"""
FIRST_NAMES = TWINS.split()
LEADERS, AT_THE_TABLE = 55, 3
DIGITS = {"o": "0", "i": "1", "e": "3", "a": "4", "s": "5"}
ACCENTS = {"a": "á", "e": "é", "i": "í", "o": "ö", "u": "ü"}


def trial(count: int, chance: Random) -> Trial:
    """Try newcomers with everyday names, then newcomers who change a name as far as the rules allow."""
    innocent = guilty = 0
    for _newcomer in range(count):
        existing = {_everyday(chance) for _person in range(LEADERS + AT_THE_TABLE)}
        innocent += _alarms(_free(existing, chance), existing)
        imitated = chance.choice(sorted(name for name in existing if len(name) > names.MIN_LETTERS and name.isalpha()))
        guilty += _alarms(_imitation(imitated, chance), existing)
    return Trial(Rate(innocent, count), Rate(guilty, count))


def _alarms(name: str, existing: set[str]) -> bool:
    return any(names.imitates(name, other) for other in existing)


def _everyday(chance: Random) -> str:
    """Return a first name, bare, with a number, or with a noun; or a name as the site suggests them."""
    first, noun, number = chance.choice(FIRST_NAMES), str(chance.choice(ANIMALS)), str(chance.randint(10, 99))
    return chance.choice((first, first + number, f"{first} {noun}"[:20].strip(), f"{noun} {number}"))


def _free(existing: set[str], chance: Random) -> str:
    """Return a name that nobody has, or one that looks like it: the site would not let them."""
    while True:
        name = _everyday(chance)
        if not any(look_alike(name, other) for other in existing):
            return name


def _imitation(name: str, chance: Random) -> str:
    """Return an imitation that the rules of names let through."""
    while True:
        changed = chance.choice((_written, _written, _doubled, _swapped, _omitted))(name, chance)
        try:
            if not look_alike(changed, name) and clean_name(changed):
                return changed
        except ValidationError:
            continue


def _written(name: str, chance: Random) -> str:
    """Write one letter as a digit, or with an accent."""
    table = chance.choice((DIGITS, ACCENTS))
    place = chance.randrange(len(name))
    return name[:place] + table.get(name[place], name[place]) + name[place + 1 :]


def _doubled(name: str, chance: Random) -> str:
    place = chance.randrange(len(name))
    return name[:place] + name[place] + name[place:]


def _swapped(name: str, chance: Random) -> str:
    place = chance.randrange(1, len(name) - 1)
    return name[:place] + name[place + 1] + name[place] + name[place + 2 :]


def _omitted(name: str, chance: Random) -> str:
    place = chance.randrange(1, len(name))
    return name[:place] + name[place + 1 :]
