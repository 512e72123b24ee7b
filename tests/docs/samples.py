"""The code samples in our documents. Every one is run (see sample_runner.py).

A sample is a fenced block. Its language decides how it's run; anything else is said in comments
right above it, which readers of the page don't see:

    here: --games 200 = --games 2; 127.0.0.1:8000 = {server}
                            replaced when the tests run it: with fewer games, or with what a reader
                            has of their own (sample_machine.py lists these)
    part of: examples/bot.py    found word for word in that file, which other tests run
    decodes as: pytlik.protocol.messages.Act      the message that this JSON is
    without: matplotlib     run as if that weren't installed
    given: match.json       the page's folder has such a file from here on
    file: hermit/rules.py   saved as that file, which the page's folder has from here on
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pytlik.cli import build_parsers
from pytlik.i18n import catalogue

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SAMPLE_COMMENT = re.compile(r"<!-- (here|part of|decodes as|without|given|file): (.+?) -->")


@dataclass(frozen=True)
class Sample:
    page: Path
    line: int
    language: str
    text: str
    marks: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def find_samples(page: Path) -> Iterator[Sample]:
    marks: dict[str, str] = {}
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        if token.type in ("fence", "code_block"):
            yield Sample(page, (token.map or [0])[0] + 1, language_of(token), token.content, marks)
        # Consecutive comments are all about what comes next.
        marks = (
            marks | dict(SAMPLE_COMMENT.findall(token.content))
            if token.type == "html_block"
            else {}
        )


def language_of(token: Token) -> str:
    return token.info.strip() if token.type == "fence" else "indented"


def inline_code(page: Path) -> Iterator[str]:
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        for child in token.children or ():
            if child.type == "code_inline":
                yield child.content


def are_options_known(words: list[str]) -> bool:
    """Whether a command in a sentence has only known options; it may leave out arguments."""
    top, commands = build_parsers(catalogue("en"))
    parser, rest = (commands[words[0]], words[1:]) if words[0] in commands else (top, words)
    options = parser._option_string_actions
    if parser is top and not rest[0].startswith("--"):
        return False
    return all(word.partition("=")[0] in options for word in rest if word.startswith("--"))
