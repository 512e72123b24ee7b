"""Reads PDFs with PDFium, which shares no code with what wrote them."""

import atexit
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
from pypdfium2 import raw

POINTS_PER_MM = 72 / 25.4


class PathBox(NamedTuple):
    """Where a path is on a page, in millimetres from the upper left corner."""

    left: float
    top: float
    width: float
    height: float


class PdfSheets:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.document: Any = pdfium.PdfDocument(data)
        atexit.register(self.document.close)  # otherwise PDFium lists all open documents
        self._texts: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self.document)

    def size(self, page: int) -> tuple[float, float]:
        """The width and height of a page in millimetres."""
        width, height = self.document[page].get_size()
        return width / POINTS_PER_MM, height / POINTS_PER_MM

    def paths(self, page: int) -> list[PathBox]:
        """All paths except those inside reused forms."""
        sheet = self.document[page]
        tall = sheet.get_height()
        found = []
        for path in sheet.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=1):
            left, bottom, right, top = path.get_bounds()
            box = (left, tall - top, right - left, top - bottom)
            found.append(PathBox(*(value / POINTS_PER_MM for value in box)))
        return found

    def text(self, page: int) -> str:
        """The text of a page as one line."""
        content: str = self._text_page(page).get_text_range()
        return " ".join(content.split())

    def _text_page(self, page: int) -> Any:
        if page not in self._texts:
            self._texts[page] = self.document[page].get_textpage()
        return self._texts[page]

    def text_position(self, page: int, text: str) -> tuple[float, float]:
        """The position of a text's first letter, in millimetres from the upper left corner."""
        letters = self._text_page(page)
        index, _ = letters.search(text).get_next()
        left, _, _, top = letters.get_charbox(index)
        return left / POINTS_PER_MM, (self.document[page].get_height() - top) / POINTS_PER_MM

    def render_page(self, page: int, per_mm: float) -> npt.NDArray[np.uint8]:
        """Render a page in colour, with `per_mm` pixels per millimetre."""
        picture = self.document[page].render(scale=per_mm / POINTS_PER_MM).to_numpy()
        found: npt.NDArray[np.uint8] = picture[:, :, :3]
        return found
