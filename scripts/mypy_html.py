"""A mypy plugin: arguments of ``Html(…)`` must be markup, numbers or literals, so a missing escape is a type error."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Expression,
    GeneratorExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    StarExpr,
    StrExpr,
)
from mypy.plugin import FunctionContext, Plugin
from mypy.types import Instance, LiteralType, Type, UnionType, get_proper_type

HTML_TYPE = "games.html.Html"
SAFE_TYPES = (HTML_TYPE, "builtins.int", "builtins.float", "django.utils.safestring.SafeString")
JOINING_OPERATORS = ("+", "*", "or", "and")
SEQUENCE_TYPES = ("builtins.list", "builtins.tuple", "builtins.map", "typing.Sequence")


def inserted_parts(node: Expression) -> Iterator[Expression]:
    """Yield the parts of a text: the values of an f-string or a list, the operands of a sum or a condition."""
    if isinstance(node, OpExpr) and node.op in JOINING_OPERATORS:
        yield from inserted_parts(node.left)
        yield from inserted_parts(node.right)
    elif isinstance(node, ConditionalExpr):
        yield from inserted_parts(node.if_expr)
        yield from inserted_parts(node.else_expr)
    elif isinstance(node, ListExpr):
        yield from (part for item in node.items for part in inserted_parts(item))
    elif isinstance(node, StarExpr):
        yield from inserted_parts(node.expr)
    elif isinstance(node, ListComprehension):
        yield from inserted_parts(node.generator.left_expr)
    elif isinstance(node, GeneratorExpr):
        yield from inserted_parts(node.left_expr)
    elif isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name in ("join", "format"):
        yield from inserted_parts(node.callee.expr)
        yield from inserted_parts(node.args[0])
    elif not isinstance(node, StrExpr):
        yield node


def is_safe_type(part_type: Type) -> bool:
    """Return True if values of this type cannot contain user input."""
    part_type = get_proper_type(part_type)
    if isinstance(part_type, UnionType):
        return all(map(is_safe_type, part_type.items))
    if isinstance(part_type, LiteralType):
        return True
    if isinstance(part_type, Instance) and part_type.type.fullname in SEQUENCE_TYPES:
        return is_safe_type(part_type.args[0])
    return isinstance(part_type, Instance) and any(base.fullname in SAFE_TYPES for base in part_type.type.mro)


def check_html_call(context: FunctionContext) -> Type:
    for call_argument in context.args[0]:
        for part in inserted_parts(call_argument):
            part_type = context.api.get_expression_type(part)
            if not is_safe_type(part_type):
                name = f" ({part.name})" if isinstance(part, NameExpr | MemberExpr) else ""
                context.api.fail(f"{part_type}{name} in markup: escape it, or make it Html", part)
    return context.default_return_type


class HtmlPlugin(Plugin):
    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return check_html_call if fullname == HTML_TYPE else None


def plugin(_version: str) -> type[Plugin]:
    return HtmlPlugin
