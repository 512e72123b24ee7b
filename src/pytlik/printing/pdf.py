"""Writes pages as PDF, as vector graphics and text.

ReportLab writes the file. The font is Manrope, which has every letter of our languages. Both come
with `pytlik[print]`.
"""

import importlib
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from io import BytesIO
from math import cos, floor, pi, sin
from typing import Any

from pytlik.drawing.primitives import (
    DOT_SPACING_AND_RADIUS,
    STRIPE_SPACING_AND_WIDTH,
    Group,
    Marks,
    Path,
    Pattern,
    Text,
)
from pytlik.extras import explain_missing_extra
from pytlik.printing.page_elements import Page, Paper
from pytlik.printing.svg_path_parser import Close, Curve, Line, Move, parse_path

POINTS_PER_MM = 72 / 25.4

REGULAR, BOLD = "Pytlik", "Pytlik-Bold"
NON_ZERO_FILL = 1


def import_extra(module: str) -> Any:
    """Import a module of the extra. Raises Missing if the package isn't installed."""
    with explain_missing_extra("print"):
        return importlib.import_module(module)


@cache
def register_fonts() -> Any:
    """Register the fonts with ReportLab, and return the module that measures them."""
    metrics = import_extra("reportlab.pdfbase.pdfmetrics")
    reader = import_extra("reportlab.pdfbase.ttfonts")
    folder = resources.files(import_extra("font_manrope")).joinpath("files")
    for name, file in ((REGULAR, "Manrope-Regular.ttf"), (BOLD, "Manrope-Bold.ttf")):
        with resources.as_file(folder.joinpath(file)) as path:
            metrics.registerFont(reader.TTFont(name, str(path)))
    return metrics


def text_width(text: str, size: float, bold: bool) -> float:  # noqa: FBT001 - as a Measure is called
    return float(register_fonts().stringWidth(text, BOLD if bold else REGULAR, size))


def render_pdf(
    pages: Sequence[Page], paper: Paper, *, title: str, lang: str, outline: dict[int, str]
) -> bytes:
    """Render the file. `outline` has titles by page index."""
    canvases = import_extra("reportlab.pdfgen.canvas")
    register_fonts()
    # ASCII85 encoding would make the file a quarter larger.
    import_extra("reportlab.rl_config").useA85 = 0
    data = BytesIO()
    # Invariant: the same pages give the same bytes, whenever they are written.
    canvas = canvases.Canvas(data, pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setAuthor("Pytlik")
    canvas.setCatalogEntry("Lang", lang)
    # The default in print dialogs: no fitting, no shrinking.
    canvas.setViewerPreference("PrintScaling", "None")
    names = _write_forms(canvas, _find_repeated_marks(pages))
    for number, page in enumerate(pages):
        size = paper.rotated if page.landscape else paper
        canvas.setPageSize((size.width * POINTS_PER_MM, size.height * POINTS_PER_MM))
        if number in outline:
            canvas.bookmarkPage(f"page{number}")
            canvas.addOutlineEntry(outline[number], f"page{number}")
        canvas.saveState()
        canvas.transform(POINTS_PER_MM, 0, 0, -POINTS_PER_MM, 0, size.height * POINTS_PER_MM)
        canvas.setLineJoin(1)
        _draw_marks(canvas, page.marks, names)
        canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return data.getvalue()


MIN_REPEATS = 3
"""Marks drawn at least this often are written once, and then referred to."""
FORM_EXTENT = 1000


def _find_repeated_marks(pages: Sequence[Page]) -> list[Marks]:
    """Groups of marks that are drawn often; nested ones come before the groups around them."""
    times: Counter[Marks] = Counter()
    found: list[Marks] = []

    def visit(marks: Marks) -> None:
        for mark in marks:
            if isinstance(mark, Group):
                times[mark.marks] += 1
                if times[mark.marks] == 1:
                    visit(mark.marks)
                    found.append(mark.marks)

    for page in pages:
        visit(page.marks)
    return [marks for marks in found if times[marks] >= MIN_REPEATS]


def _write_forms(canvas: Any, repeated: Sequence[Marks]) -> dict[Marks, str]:
    """Write the repeated marks as forms, and return their names."""
    names: dict[Marks, str] = {}
    for marks in repeated:
        name = f"marks{len(names)}"
        canvas.beginForm(name, -FORM_EXTENT, -FORM_EXTENT, FORM_EXTENT, FORM_EXTENT)
        _draw_marks(canvas, marks, names)
        canvas.endForm()
        names[marks] = name
    return names


def _draw_marks(canvas: Any, marks: Marks, names: dict[Marks, str]) -> None:
    for mark in marks:
        match mark:
            case Group(marks=inside, x=x, y=y, scale=scale, stretch=stretch):
                canvas.saveState()
                canvas.transform(scale, 0, 0, scale * stretch, x, y)
                if inside in names:
                    canvas.doForm(names[inside])
                else:
                    _draw_marks(canvas, inside, names)
                canvas.restoreState()
            case Text():
                _draw_text(canvas, mark)
            case Path():
                _draw_path(canvas, mark)


def _draw_text(canvas: Any, text: Text) -> None:
    font = BOLD if text.bold else REGULAR
    canvas.saveState()
    canvas.transform(1, 0, 0, -1, text.x, text.y)
    canvas.setFillColor(text.fill)
    canvas.setFont(font, text.size)
    draw = {
        "start": canvas.drawString,
        "middle": canvas.drawCentredString,
        "end": canvas.drawRightString,
    }[text.anchor]
    draw(0, 0, text.text)
    canvas.restoreState()


def _draw_path(canvas: Any, path: Path) -> None:
    stroke, fill = int(path.stroke is not None), int(path.fill is not None)
    canvas.saveState()
    if path.fill:
        canvas.setFillColor(path.fill)
    if path.stroke:
        canvas.setStrokeColor(path.stroke)
        canvas.setLineWidth(path.width)
        canvas.setDash(list(path.dash))
    if path.pattern:
        canvas.drawPath(_to_pdf_path(path.d), stroke=0, fill=fill, fillMode=NON_ZERO_FILL)
        _draw_pattern(canvas, path.d, path.pattern)
        fill = 0
    canvas.drawPath(_to_pdf_path(path.d), stroke=stroke, fill=fill, fillMode=NON_ZERO_FILL)
    canvas.restoreState()


def _draw_pattern(canvas: Any, d: str, pattern: Pattern) -> None:
    """Stripes or dots all over a path, clipped at its edge."""
    reach = 1.5 * max(
        abs(value) for step in parse_path(d) if not isinstance(step, Close) for value in step.to
    )
    canvas.saveState()
    canvas.clipPath(_to_pdf_path(d), stroke=0, fill=0)
    canvas.setFillColor(pattern.ink)
    ink = canvas.beginPath()
    if pattern.kind == "stripes":
        distance, width = STRIPE_SPACING_AND_WIDTH
        along, across = cos(pi / 4), sin(pi / 4)
        first = floor(-reach / distance)
        for number in range(first, -first + 1):
            near, far = number * distance, number * distance + width
            corners = [(near, -reach), (far, -reach), (far, reach), (near, reach)]
            turned = [(a * along - b * across, a * across + b * along) for a, b in corners]
            ink.moveTo(*turned[0])
            for corner in turned[1:]:
                ink.lineTo(*corner)
            ink.close()
    else:
        distance, radius = DOT_SPACING_AND_RADIUS
        count = floor(reach / distance) + 1
        for row in range(-count, count):
            for column in range(-count, count):
                ink.circle((column + 0.5) * distance, (row + 0.5) * distance, radius)
    canvas.drawPath(ink, stroke=0, fill=1)
    canvas.restoreState()


@lru_cache(maxsize=4096)
def _to_pdf_path(d: str) -> Any:
    """A path as a ReportLab object. It never changes, and most are drawn more than once."""
    path = import_extra("reportlab.pdfgen.pathobject").PDFPathObject()
    for step in parse_path(d):
        match step:
            case Move(to):
                path.moveTo(*to)
            case Line(to):
                path.lineTo(*to)
            case Curve(first, second, to):
                path.curveTo(*first, *second, *to)
            case Close():
                path.close()
    return path
