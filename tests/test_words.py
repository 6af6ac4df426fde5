"""Every text for people goes through gettext."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import import_rules, unmarked_texts

ROOT = Path(__file__).parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.html")) + sorted((ROOT / "templates").rglob("*.txt"))
# The engine speaks English only: games.words.lookup says its sentences in the reader's language.
CODE = [
    path
    for house in ("accounts", "domino_site", "games", "infrastructure")
    for path in sorted((ROOT / house).rglob("*.py"))
    if "engine" not in path.parts and "migrations" not in path.parts and "commands" not in path.parts
]
BUILDERS = [path for path in CODE if "rendering" in path.relative_to(ROOT).parts or path.stem.endswith("rendering")]
# The layers without sentences of their own, by the room of each module.
LAYERS = ("games.rendering", "games.sockets", "games.views")
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))


def found_in(paths: list[Path], look: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """Return the texts of each file that are found by looking so."""
    assert paths
    by_path = {str(path.relative_to(ROOT)): look(path.read_text()) for path in paths}
    return {name: texts for name, texts in by_path.items() if texts}


def test_no_template_has_unmarked_text() -> None:
    assert found_in(TEMPLATES, unmarked_texts.unmarked_in_template) == {}


def test_tags_of_templates_are_on_one_line() -> None:
    """Django shows a tag or variable with a line break in it as text."""
    assert found_in(TEMPLATES, re.compile(r"\{[{%][^}\n]*\n").findall) == {}


def test_no_module_has_unmarked_text() -> None:
    assert found_in(CODE, unmarked_texts.unmarked_in_python) == {}


def test_views_sockets_and_rendering_have_no_sentences_but_messages() -> None:
    layers = [path for path in CODE if import_rules.area_of(import_rules.module_name(path)) in LAYERS]
    assert found_in(layers, unmarked_texts.marked_sentences) == {}


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ('LABEL = _("Your turn")', 1),
        ('label = gettext("Your turn")', 1),
        ('count = ngettext("%d tile", "%d tiles", 2)', 1),
        ('messages.error(request, _("You cannot do that.") % {})', 0),
        ('raise Http404(_("There is no such game."))', 0),
    ],
)
def test_planted_sentences_of_a_layer_are_found(code: str, sentences: int) -> None:
    names = "from django.utils.translation import gettext, ngettext, gettext_lazy as _\n"
    assert len(unmarked_texts.marked_sentences(names + code)) == sentences


def test_no_html_built_in_python_has_unmarked_text() -> None:
    assert found_in(BUILDERS, unmarked_texts.unmarked_in_built_html) == {}


def test_no_script_shows_text_of_its_own() -> None:
    assert found_in(SCRIPTS, unmarked_texts.texts_in_script) == {}


def test_planted_text_in_a_template_is_found() -> None:
    for planted in [
        "<p>Your turn</p>",
        "<p>{{ name }} has won</p>",
        "{% if own %}Yours{% endif %}",
        '<img src="a.png" alt="A tile">',
        '<button title="Play {{ tile }}">{% translate "Play" %}</button>',
        '<button aria-label="Close">&times;</button>',
        '<input placeholder="Your name">',
        '<input type="submit" value="Send">',
        "{{ name|default:'Nobody' }}",
        '{{ count }} tile{{ count|pluralize:"s" }}',
        "<title>Lobby</title>",
        "<svg><text>Boneyard</text></svg>",
        '{% blocktranslate %}One{% endblocktranslate %}<p translate="no">Two</p>Three',
    ]:
        assert unmarked_texts.unmarked_in_template(planted)


def test_marked_text_in_a_template_passes() -> None:
    for lawful in [
        '<p>{% translate "Your turn" %}</p>',
        "<p>{% blocktranslate %}{{ name }} has won{% endblocktranslate %}</p>",
        "{# a comment #}{% comment %}another{% endcomment %}<!-- and one in HTML -->",
        '<button class="button" aria-label="{% translate \'Close\' %}">&times;</button>',
        '<input type="hidden" name="next" value="lobby">',
        "<p>{{ points }} + 10 = 20</p>",
        "{{ name|default:_('Nobody') }}",
        '<p translate="no">Kozel <b>OK</b></p>',
        "<script type='module'>const text = 1</script>",
    ]:
        assert unmarked_texts.unmarked_in_template(lawful) == []


def test_planted_text_in_python_is_found() -> None:
    for planted in [
        "models.CharField('name at the table', max_length=3)",
        "models.CharField(max_length=3, help_text='Short')",
        "forms.CharField(label='Name')",
        "messages.success(request, f'Welcome, {name}')",
        "raise ValidationError('Too long')",
        "raise Refused('stale', 'Somebody was faster')",
        "class Meta:\n    verbose_name = 'match'",
        "class Kind(models.TextChoices):\n    MUTE = 'mute', 'muted'",
        "@admin.action(description='Stop the match')\ndef stop(): ...",
        "_(f'{name} has won')",
    ]:
        assert unmarked_texts.unmarked_in_python(planted)


@pytest.mark.parametrize(
    "lawful",
    [
        "models.CharField(_('name at the table'), max_length=3)",
        "models.ForeignKey('accounts.User', on_delete=models.CASCADE)",
        "forms.CharField(label=_('Name'), max_length=3)",
        "messages.success(request, _('Welcome'))",
        "raise Refused('stale', _('Somebody was faster'))",
        "class Kind(models.TextChoices):\n    MUTE = 'mute', _('muted')",
    ],
)
def test_marked_text_in_python_passes(lawful: str) -> None:
    assert unmarked_texts.unmarked_in_python(lawful) == []


@pytest.mark.parametrize(
    "planted",
    [
        "x = f'<b title=\"Play {tile}\">{tile}</b>'",
        "x = f'<b>Play {tile}</b>'",
        "x = '<b>' + 'Play</b>'",
        "parts.append('>Your turn')",
        "x = 'Play <b>'",
    ],
)
def test_planted_text_in_built_html_is_found(planted: str) -> None:
    assert unmarked_texts.unmarked_in_built_html(planted)


@pytest.mark.parametrize(
    "lawful",
    [
        "x = f'<b class=\"own\">{word}</b>'",
        'f\'{x}" class="own">{word}&nbsp;&#8211;<use href="#t\'',
        "x = f'{seat} > {other}'",
        "'a comment: <b>'",
    ],
)
def test_marked_text_in_built_html_passes(lawful: str) -> None:
    assert unmarked_texts.unmarked_in_built_html(lawful) == []


def test_planted_text_in_a_script_is_found() -> None:
    assert unmarked_texts.texts_in_script("clock.textContent = 'Time is up'")
    assert not unmarked_texts.texts_in_script("clock.textContent = clock.dataset.over")
