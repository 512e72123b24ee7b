"""The vectors that check the page's copies of rules must match our rules."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests import make_page_vectors

DRAW_SOURCES: tuple[str | None, ...] = ("bag", "display")


@pytest.mark.parametrize(
    "path",
    make_page_vectors.VECTOR_FILES,
    ids=lambda path: str(path.relative_to(make_page_vectors.PAGE_GAMES_FOLDER)),
)
def test_the_vectors_are_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == make_page_vectors.format_vectors(
        make_page_vectors.VECTOR_FILES[path]()
    )


def test_unikat_vectors_cover_own_and_others_events() -> None:
    seen = set()
    for each in make_page_vectors.unikat_round_vectors():
        for step in each["steps"]:
            event = step["event"]
            own = None if "seat" not in event else event["seat"] == each["view"]["seat"]
            seen.add((event["kind"], event.get("source"), own))
    moves = [(kind, source) for kind in ("tile_swapped", "tile_drawn") for source in DRAW_SOURCES]
    moves += [(kind, None) for kind in ("chain_laid", "turn_ended", "bonus_earned", "draw_owed")]
    missing = {(kind, source, own) for kind, source in moves for own in (True, False)} - seen
    assert not missing
    assert ("display_filled", None, None) in seen


def test_score_sheet_vectors_cover_ties_and_every_starter_rule() -> None:
    sheets = list(make_page_vectors.score_sheet_vectors())
    assert {each["nextStarter"] for each in sheets} == {"same", "rotate", "winner"}
    assert any(len(row["winners"]) > 1 for each in sheets for row in each["sheet"])
    assert any(len(each["leaders"]) > 1 for each in sheets)


def test_placement_vectors_cover_every_answer() -> None:
    steps = [step for each in make_page_vectors.placement_vectors() for step in each["steps"]]
    answers = Counter(step["refused"] for step in steps)
    assert set(answers) == {None, "outside_area", "occupied"}
    assert min(answers.values()) > 3
    assert sum(step["solved"] for step in steps) == 3
    assert json.dumps(steps).count('"cells": null') > 3


def test_ubongo_vectors_cover_own_and_others_events() -> None:
    seen = set()
    for each in make_page_vectors.ubongo_round_vectors():
        for step in each["steps"]:
            event = step["event"]
            own = None if "seat" not in event else event["seat"] == each["view"]["seat"]
            seen.add((event["kind"], own))
    kinds = ("card_solved", "seat_gave_up", "solution_settled", "gem_taken")
    missing = {(kind, own) for kind in kinds for own in (True, False)} - seen
    assert not missing
    assert {("gem_bagged", None), ("second_chance_began", None), ("round_ended", None)} <= seen
