"""No text that people see stands in the code of the terminal and of printed sheets: all are in the
catalogues. (For the page, web/src/lib/visible-text.test.ts looks for them.)"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytlik

PACKAGE = Path(pytlik.__file__).parent
SHOWN = ("drawing", "printing", "terminal", "text")
FILES = sorted(path for folder in SHOWN for path in (PACKAGE / folder).rglob("*.py"))

TEXT = re.compile(r"[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}|^[A-Z][a-z]{2,}[.!?]?$")
"""Two words in a row, or one that begins a sentence."""
CODE = re.compile(r">?<\w.*|\s*[A-Z]\w+ \{\s.*|((bold|not|on|reverse|#\w+) ?)+", re.DOTALL)
"""SVG, style sheets, and styles of a text."""

SAME_EVERYWHERE = {
    "Enter",  # What is on the key.
    "Esc",
    "Pytlik",
    "Authorization",  # A header.
    "Lang",  # Entries of a PDF's catalogue.
    "None",
    "system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif",
    "last tile",  # How the rules call this end of a round.
}


def hidden_from_people(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, type names, and what is said to whoever writes code."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Raise() | ast.Assert() | ast.Subscript():
                yield from ast.walk(node)
            case ast.Call(func=ast.Name(id="NewType" | "TypeVar" | "cast")):
                yield from ast.walk(node)
            case (
                ast.arg(annotation=ast.Constant() as name)
                | ast.AnnAssign(annotation=ast.Constant() as name)
            ):
                yield name
            case ast.FunctionDef(returns=ast.Constant() as name):
                yield name
            case _:
                pass


def find_texts(source: str) -> list[str]:
    tree = ast.parse(source)
    hidden = {id(node) for node in hidden_from_people(tree)}
    texts = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in hidden
    )
    return [text for text in texts if TEXT.search(text) and not CODE.fullmatch(text)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_texts_are_in_the_catalogues(path: Path) -> None:
    found = find_texts(path.read_text(encoding="utf-8"))
    assert [text for text in found if text not in SAME_EVERYWHERE] == []


def test_such_texts_would_be_found() -> None:
    assert find_texts('print("Your turn")') == ["Your turn"]
    assert find_texts('show(f"{name} wins the round")') == [" wins the round"]
    assert find_texts('Text(0, 0, "Unikat", "Ubongo Extreme")') == ["Unikat", "Ubongo Extreme"]
    assert find_texts('raise ValueError("no such seat")\n"""A note."""') == []
