"""Run docs/tour.ipynb and save its output: python -m docs.run_tour_notebook"""

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

TOUR = Path(__file__).parent / "tour.ipynb"
CELL_TIMEOUT_SECONDS = 120


def load() -> Any:
    return nbformat.read(TOUR, as_version=4)


def run() -> Any:
    """Run the notebook, and remove everything that differs from run to run."""
    notebook = load()
    NotebookClient(
        notebook, timeout=CELL_TIMEOUT_SECONDS, kernel_name="python3", coalesce_streams=True
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
                output.data.pop("text/plain", None)  # repeats the picture as text
    return notebook


if __name__ == "__main__":
    nbformat.write(run(), TOUR)
