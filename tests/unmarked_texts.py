"""Find text for people that is not marked for translation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from django.template.base import DebugLexer, Token, TokenType

LETTER_PATTERN = re.compile(r"[^\W\d_]")
# The same in every language; s is the symbol of the second.
INTERNATIONAL_WORDS = re.compile(r"\b(?:UTC|s)\b")
# Stands for whatever a tag or a variable puts in its place.
PLACEHOLDER = "\u2060"
TEXT_ATTRIBUTES = frozenset(
    {
        "alt",
        "aria-description",
        "aria-label",
        "aria-roledescription",
        "aria-valuetext",
        "label",
        "placeholder",
        "title",
    }
)
ELEMENTS_WITHOUT_TEXT = frozenset({"script", "style"})
VOID_ELEMENTS = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "use", "wbr"})
TEXT_ATTRIBUTE_PATTERN = re.compile(rf'\b(?:{"|".join(sorted(TEXT_ATTRIBUTES))})="([^"]*)')
# Calls that show a message once: flash messages, and why there is nothing to see.
MESSAGE_CALLS = ("messages.", "ExplainedNotFound", "Http404", "NothingToReview")
# Filters whose argument is shown as it stands.
VISIBLE_ARGUMENT_PATTERN = re.compile(r"""\|\s*(?:default|default_if_none|yesno|pluralize)\s*:\s*(["'])(.*?)\1""")


def has_words(text: str) -> bool:
    return bool(LETTER_PATTERN.search(INTERNATIONAL_WORDS.sub("", text)))


class TextCollector(HTMLParser):
    """Collects texts and spoken attributes; ``translate="no"`` marks what is the same in every language."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.open_elements_without_text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        for name, value in attributes.items():
            if name in TEXT_ATTRIBUTES or (name == "value" and attributes.get("type") in ("submit", "button")):
                self.add_text(f'{name}="{value}"', value or "")
        if tag in VOID_ELEMENTS:
            return
        if self.open_elements_without_text or tag in ELEMENTS_WITHOUT_TEXT or attributes.get("translate") == "no":
            self.open_elements_without_text.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open_elements_without_text:
            while self.open_elements_without_text.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.add_text(" ".join(data.split()), data)

    def add_text(self, label: str, text: str) -> None:
        if not self.open_elements_without_text and has_words(text):
            self.texts.append(label.replace(PLACEHOLDER, "…"))


def unmarked_in_html(html: str) -> list[str]:
    page = TextCollector()
    page.feed(html)
    page.close()
    return page.texts


def unmarked_in_template(source: str) -> list[str]:
    """Return the texts of a Django template that no tag translates."""
    return unmarked_in_html("".join(visible_parts(DebugLexer(source).tokenize())))


def visible_parts(tokens: list[Token]) -> Iterator[str]:
    """Yield the template's own text, with a hole for what is computed or translated."""
    skipped_until = ""
    for token in tokens:
        words = token.contents.split() if token.token_type == TokenType.BLOCK else [""]
        word = words[0]
        if skipped_until:
            skipped_until = "" if word == skipped_until else skipped_until
        elif word in ("blocktranslate", "blocktrans", "comment") or is_class_block(words):
            skipped_until = f"end{word}"
            yield PLACEHOLDER
        elif token.token_type == TokenType.TEXT:
            yield token.contents
        elif token.token_type == TokenType.VAR:
            yield (
                PLACEHOLDER.join(match[2] for match in VISIBLE_ARGUMENT_PATTERN.finditer(token.contents))
                or PLACEHOLDER
            )
        else:
            yield PLACEHOLDER


def is_class_block(words: list[str]) -> bool:
    """Say whether a block fills a ``class`` attribute: ``{% block body_class %}``."""
    return words[0] == "block" and words[1].endswith("_class")


TEXT_KEYWORDS = frozenset(
    {"description", "empty_label", "help_text", "label", "verbose_name", "verbose_name_plural", "site_header"}
)
TEXT_NAMES = TEXT_KEYWORDS | {"index_title", "short_description", "site_title"}
MESSAGES = frozenset({"debug", "error", "info", "success", "warning"})
TRANSLATORS = frozenset({"_"} | {f"{kind}gettext{end}" for kind in ("", "n", "p", "np") for end in ("", "_lazy")})
# Relations begin with the model they point to, not with their name.
RELATIONS = frozenset({"ForeignKey", "ManyToManyField", "OneToOneField"})


def unmarked_in_python(source: str) -> list[str]:
    """Return the texts for people in Python code that go through no translating function."""
    texts = []
    for node in ast.walk(ast.parse(source)):
        for value in text_expressions(node):
            if text := literal_text(value):
                texts.append(f"line {value.lineno}: {text}")
    return texts


def unmarked_in_built_html(source: str) -> list[str]:
    """Return unmarked texts in the HTML that Python code builds from strings, often only parts of elements."""
    tree = ast.parse(source)
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    comments = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = {literal_text(node) for node in ast.walk(tree) if id(node) not in parts | comments}
    return [piece for text in sorted(strings) for piece in unmarked_in_html_fragment(text)]


def unmarked_in_html_fragment(text: str) -> list[str]:
    """Return what stands after a ``>``, or before the first ``<``, or in a spoken attribute."""
    if "<" not in text and ">" not in text:
        return []
    before = text.partition("<")[0]
    texts = [*re.findall(r">([^<>]*)", text), *TEXT_ATTRIBUTE_PATTERN.findall(text)]
    if ">" not in before and '"' not in before:
        texts.append(before)
    # A character reference has letters but says nothing.
    return [piece.replace(PLACEHOLDER, "…") for piece in texts if has_words(re.sub(r"&#?\w+;", "", piece))]


def text_expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions of a node that people will read."""
    if isinstance(node, ast.Call):
        yield from text_arguments(node)
    elif isinstance(node, ast.ClassDef):
        yield from text_attributes(node)


def text_arguments(call: ast.Call) -> Iterator[ast.expr]:
    owner, name = called_name(call)
    yield from (word.value for word in call.keywords if word.arg in TEXT_KEYWORDS)
    if owner == "models" and name.endswith("Field") and name not in RELATIONS:
        yield from call.args[:1]
    elif owner == "messages" and name in MESSAGES:
        yield from call.args[1:2]
    elif name in ("ValidationError", "PermissionDenied"):
        yield from call.args[:1]
    elif name == "Refused":
        yield from call.args[1:2]
        yield from (word.value for word in call.keywords if word.arg == "text")
    elif name in TRANSLATORS:
        # gettext cannot collect what is put together at run time.
        yield from (argument for argument in call.args[:1] if isinstance(argument, ast.JoinedStr))


def text_attributes(owner: ast.ClassDef) -> Iterator[ast.expr]:
    is_choices = any(getattr(base, "attr", getattr(base, "id", "")).endswith("Choices") for base in owner.bases)
    for statement in owner.body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            continue
        if statement.targets[0].id in TEXT_NAMES:
            yield statement.value
        elif is_choices and isinstance(statement.value, ast.Tuple):
            yield from statement.value.elts[1:]


def called_name(call: ast.Call) -> tuple[str, str]:
    """Return the owner and the name of what is called: ``models.CharField`` is ("models", "CharField")."""
    if isinstance(call.func, ast.Attribute):
        return getattr(call.func.value, "id", ""), call.func.attr
    return "", getattr(call.func, "id", "")


def literal_text(node: ast.AST) -> str:
    """Return the letters a string expression brings along, with holes for what is put in; "" if there are none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    elif isinstance(node, ast.JoinedStr):
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else PLACEHOLDER for part in node.values)
    elif isinstance(node, ast.BinOp):
        text = literal_text(node.left) + literal_text(node.right)
    else:
        return ""
    return text if LETTER_PATTERN.search(text) else ""


TEXT_IN_SCRIPT_PATTERN = re.compile(
    r"""(?:textContent|innerText|title|alt|ariaLabel|placeholder)\s*=\s*["'`][^"'`]*[A-Za-z]{2}"""
    r"""|setAttribute\(\s*["'](?:aria-label|title|alt|placeholder)["']\s*,\s*["'`]"""
    r"""|\b(?:alert|confirm|prompt)\(\s*["'`]"""
)


def texts_in_script(source: str) -> list[str]:
    """Return where a script shows a text of its own: texts belong into the page, as data or as elements."""
    return [match[0] for match in TEXT_IN_SCRIPT_PATTERN.finditer(source)]


def marked_sentences(source: str) -> list[str]:
    """Return the sentences that are marked for translation, except in the messages of MESSENGERS."""
    tree = ast.parse(source)
    markers = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
        if "gettext" in alias.name
    }
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    in_messages = {
        part for call in calls if ast.unparse(call.func).startswith(MESSAGE_CALLS) for part in ast.walk(call)
    }
    return [ast.unparse(call) for call in calls if ast.unparse(call.func) in markers and call not in in_messages]
