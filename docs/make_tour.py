"""Runs docs/tour.ipynb anew and keeps what comes out: python -m docs.make_tour"""

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

TOUR = Path(__file__).parent / "tour.ipynb"
PATIENCE = 120
"""Seconds for one cell."""


def tour() -> Any:
    return nbformat.read(TOUR, as_version=4)


def executed() -> Any:
    """The notebook as it comes out now, without anything that differs from run to run."""
    notebook = tour()
    NotebookClient(
        notebook, timeout=PATIENCE, kernel_name="python3", coalesce_streams=True
    ).execute()
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        for output in cell.get("outputs", ()):
            if "image/svg+xml" in output.get("data", {}):
                output.data.pop("text/plain", None)  # says the same, at length
    return notebook


if __name__ == "__main__":
    nbformat.write(executed(), TOUR)
