"""Reads the types of messages and their docstrings.

`docs/make_protocol.py` and `web/make_wire.py` generate the protocol's document and the page's types
from them.
"""

import ast
import inspect
import textwrap
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec


def type_tag(kind: Any) -> str | None:
    config = getattr(kind, "__struct_config__", None)
    return config.tag if config and config.tag else None


def own_docstring(kind: Any) -> str:
    """A class's own docstring, not its parent's."""
    return " ".join((ast.get_docstring(parse_class_source(kind)) or "").split())


@cache
def parse_class_source(kind: type) -> ast.ClassDef:
    (made,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(made, ast.ClassDef)
    return made


def collect_named_types(parts: list[Any]) -> dict[str, Any]:
    """All named types, in the order in which they are found."""
    found: dict[str, Any] = {}

    def visit(node: Any) -> None:
        kind = getattr(node, "cls", None)
        if kind is not None and not isinstance(node, msgspec.inspect.CollectionType):
            if kind.__name__ in found:
                return
            found[kind.__name__] = kind
        for part in getattr(node, "fields", ()):
            visit(part.type)
        for name in ("types", "item_types"):
            for part in getattr(node, name, ()):
                visit(part)
        for name in ("item_type", "key_type", "value_type"):
            if hasattr(node, name):
                visit(getattr(node, name))

    for part in parts:
        visit(msgspec.inspect.type_info(part))
    return found


def field_docstrings(kind: type) -> dict[str, str]:
    """The docstrings below each field in the source."""
    notes: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if not base.__module__.startswith("pytlik"):
            continue
        for field, note in pairwise(parse_class_source(base).body):
            match field, note:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(said))),
                ):
                    notes[name] = " ".join(said.split())
                case _:
                    pass
    return notes
