"""`pytlik print`: what it writes, what it refuses, and what it says when an extra is missing."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from pytlik.cli import main
from pytlik.extras import Missing
from pytlik.i18n import catalogue
from pytlik.printing import pdf
from tests.printing.pdf_reader import PdfSheets

translate = catalogue("en")


@pytest.fixture(autouse=True)
def english_in_an_empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")
    monkeypatch.chdir(tmp_path)


def run_command(*words: str) -> int:
    try:
        return main(["print", *words])
    except SystemExit as end:
        return int(end.code or 0)


def test_file_is_written_to_the_current_folder_and_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_command("unikat", "score", "tiles", "--paper", "letter", "--lang", "pl") == 0
    file = Path("unikat-letter-pl.pdf")
    assert str(file) in capsys.readouterr().out
    sheets = PdfSheets(file.read_bytes())
    # The cover, two pages of tiles in the edition known in Poland, and score sheets.
    assert len(sheets) == 4
    assert "Granna" in sheets.text(1)
    assert sheets.size(0) == pytest.approx((215.9, 279.4), abs=0.01)


def test_both_skins_and_all_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command("unikat", "--skin", "both", "--output", "both.pdf", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "file": "both.pdf",
        "pages": 11,
        "parts": ["rules", "tiles", "racks", "score"],
    }
    sheets = PdfSheets(Path("both.pdf").read_bytes())
    assert ["HUCH" in sheets.text(2), "Granna" in sheets.text(4)] == [True, True]


def test_output_folder_gets_a_file_with_the_usual_name(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine").mkdir()
    assert run_command("unikat", "score", "--out", "mine") == 0
    file = Path("mine") / "unikat-a4-en.pdf"
    assert str(file) in capsys.readouterr().out
    assert len(PdfSheets(file.read_bytes())) > 0


def test_file_is_overwritten_only_with_force(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path("mine.pdf")
    file.write_text("something else", encoding="utf-8")
    assert run_command("unikat", "score", "--out", "mine.pdf") == 1
    assert translate("print.exists", file=file) in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == "something else"
    assert run_command("unikat", "score", "--out", "mine.pdf", "--force") == 0
    assert file.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["unikat", "gems"], 2, 'unikat has no part called "gems"'),
        (["chess"], 2, "chess"),
        (["unikat", "--paper", "a3"], 2, "a3"),
        (["unikat", "score", "--out", "no/such/folder/a.pdf"], 1, "no/such/folder"),
    ],
)
def test_impossible_request_is_refused_with_a_reason(
    words: list[str], status: int, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(*words) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("missing", ["reportlab", "font_manrope"])
def test_missing_extra_is_named_with_the_install_command(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import_module = importlib.import_module

    def without(module: str, package: str | None = None) -> Any:
        if module.split(".", maxsplit=1)[0] == missing:
            raise ModuleNotFoundError(name=missing)
        return import_module(module, package)

    monkeypatch.setattr(importlib, "import_module", without)
    pdf.register_fonts.cache_clear()
    assert run_command("unikat", "score") == 1
    message = str(Missing(missing, "print"))
    assert message in capsys.readouterr().err
    assert list(Path().iterdir()) == []
