"""Finds names and sentences that are hard to read: ``CONTRIBUTING.md`` says what to write instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from tests.unmarked_texts import TRANSLATORS, called_name

VAGUE_NAMES = {
    *("found", "said", "told", "shown", "known", "given", "kept", "made", "asked", "held", "taken"),
    *("wanted", "meant", "left", "others", "each"),
}
STIFF_OPENING = re.compile(
    r"(So (many|long|often|much)|Whoever|Who |Of whom|By what|What (is|a) |How (it|what|who)\b)", re.I
)
STIFF_PHRASE = re.compile(
    r"\b(whoever|anew|nought|of whom|by what|so many of|tells? (what|whether|how|who)|what is to be)\b", re.I
)
MAX_WORDS = 20  # in a sentence of the interface
TRANSLATED_TEXT = re.compile(
    r'{% translate "((?:[^"\\]|\\.)*)"|{% blocktranslate[^%]*%}(.*?){% endblocktranslate %}', re.DOTALL
)
MARKUP_PATTERN = re.compile(r"<[^>]*>|{%.*?%}")
PLACEHOLDER_PATTERN = re.compile(r"{{.*?}}|%\(\w+\)\w|{\w+}")


def vague_names(tree: ast.AST) -> Iterator[str]:
    """Yield variables and parameters that are named by a participle."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in VAGUE_NAMES:
            yield f"{node.lineno}: {node.id}"
        elif isinstance(node, ast.arg) and node.arg in VAGUE_NAMES:
            yield f"{node.lineno}: {node.arg}"


def texts_below_constants(tree: ast.AST) -> Iterator[str]:
    """Yield string literals that stand below an assignment in place of a comment."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef):
            for above, below in zip(node.body, node.body[1:], strict=False):
                if isinstance(above, ast.Assign | ast.AnnAssign) and is_text(below):
                    yield f"{below.lineno}: {ast.unparse(below)}"


def is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def stiff_sentences(source: str, tree: ast.AST) -> Iterator[str]:
    """Yield docstrings, comments and texts with phrases that nobody says."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_stiff(node.value):
            yield f"{node.lineno}: {node.value.strip()}"
    for number, line in enumerate(source.splitlines(), 1):
        comment = re.search(r"(?:^|\s)#\s+(.*)", line)
        if comment and is_stiff(comment[1]):
            yield f"{number}: {comment[1]}"


def is_stiff(text: str) -> bool:
    return bool(STIFF_OPENING.match(text) or STIFF_PHRASE.search(text))


def python_problems(source: str) -> list[str]:
    tree = ast.parse(source)
    return [*vague_names(tree), *texts_below_constants(tree), *stiff_sentences(source, tree)]


def text_problems(source: str) -> list[str]:
    """Return the lines of a document, template, script or style sheet with phrases that nobody says."""
    return [
        f"{number}: {line.strip()}" for number, line in enumerate(source.splitlines(), 1) if STIFF_PHRASE.search(line)
    ]


def long_template_sentences(source: str) -> list[str]:
    return long_sentences(match[1] or match[2] for match in TRANSLATED_TEXT.finditer(source))


def long_module_sentences(source: str) -> list[str]:
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    arguments = [argument for call in calls if called_name(call)[1] in TRANSLATORS for argument in call.args]
    constants = [argument.value for argument in arguments if isinstance(argument, ast.Constant)]
    return long_sentences(text for text in constants if isinstance(text, str))


def long_sentences(texts: Iterable[str]) -> list[str]:
    """Return the sentences that have more than ``MAX_WORDS`` words."""
    sentences = [sentence for text in texts for sentence in re.split(r"(?<=[.!?:;])\s+", plain_text(text))]
    return [sentence for sentence in sentences if len(sentence.split()) > MAX_WORDS]


def plain_text(text: str) -> str:
    return " ".join(PLACEHOLDER_PATTERN.sub("X", MARKUP_PATTERN.sub(" ", text)).split())
