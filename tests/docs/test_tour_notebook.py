"""The tour runs, and the outputs stored in it are up to date."""

import re

from docs.run_tour_notebook import TOUR, load, run


def test_stored_outputs_are_up_to_date() -> None:
    kept, now = load(), run()
    assert len(kept.cells) > 20
    for old, new in zip(kept.cells, now.cells, strict=True):
        assert old.get("outputs") == new.get("outputs"), (
            f"{old.source}\n\nrun: python -m docs.run_tour_notebook"
        )


def test_every_cell_was_run_without_errors() -> None:
    for cell in load().cells:
        assert cell.cell_type == "markdown" or cell.execution_count
        assert all(output.output_type != "error" for output in cell.get("outputs", ()))
        assert all(output.get("name") != "stderr" for output in cell.get("outputs", ()))


def test_it_contains_no_local_paths() -> None:
    assert not re.search(r"/(home|root|tmp|work|Users)/", TOUR.read_text(encoding="utf-8"))
