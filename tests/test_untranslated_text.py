"""No text that people see is in the code of the terminal or of printed sheets: all are in the
catalogues. (For the page, web/src/lib/no-hardcoded-text.test.ts looks for them.)"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytlik

PACKAGE_FOLDER = Path(pytlik.__file__).parent
CHECKED_FOLDERS = ("drawing", "printing", "terminal", "text")
CHECKED_FILES = sorted(
    path for folder in CHECKED_FOLDERS for path in (PACKAGE_FOLDER / folder).rglob("*.py")
)

TEXT_PATTERN = re.compile(r"[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}|^[A-Z][a-z]{2,}[.!?]?$")
"""Two words in a row, or a capitalized word alone."""
CODE_PATTERN = re.compile(r">?<\w.*|\s*[A-Z]\w+ \{\s.*|((bold|not|on|reverse|#\w+) ?)+", re.DOTALL)
"""SVG, style sheets, and styles of a text."""

UNTRANSLATED_WORDS = {
    "Enter",  # What the key says.
    "Esc",
    "Pytlik",
    "Authorization",  # A header.
    "Lang",  # Entries of a PDF's catalogue.
    "None",
    "system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif",
    "last tile",  # The rules' name for this end of a round.
}


def nodes_hidden_from_people(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, type names, and messages for programmers."""
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
    hidden = {id(node) for node in nodes_hidden_from_people(tree)}
    texts = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in hidden
    )
    return [
        text for text in texts if TEXT_PATTERN.search(text) and not CODE_PATTERN.fullmatch(text)
    ]


@pytest.mark.parametrize(
    "path", CHECKED_FILES, ids=lambda path: path.relative_to(PACKAGE_FOLDER).as_posix()
)
def test_texts_are_in_the_catalogues(path: Path) -> None:
    found = find_texts(path.read_text(encoding="utf-8"))
    assert [text for text in found if text not in UNTRANSLATED_WORDS] == []


def test_untranslated_texts_would_be_found() -> None:
    assert find_texts('print("Your turn")') == ["Your turn"]
    assert find_texts('show(f"{name} wins the round")') == [" wins the round"]
    assert find_texts('Text(0, 0, "Unikat", "Ubongo Extreme")') == ["Unikat", "Ubongo Extreme"]
    assert find_texts('raise ValueError("no such seat")\n"""A note."""') == []
