"""Pages written as PDF: everything is drawn, nothing is a raster, and texts stay texts.

ReportLab writes it; the letters are Manrope's, which has all that our languages need. Both come
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

from pytlik.drawing.marks import DOT, STRIPE, Marks, Path, Pattern, Placed, Words
from pytlik.extras import needed
from pytlik.printing.pages import Page, Paper
from pytlik.printing.paths import Close, Curve, Line, Move, steps

POINT = 72 / 25.4
"""Points in a millimetre."""

REGULAR, BOLD = "Pytlik", "Pytlik-Bold"
NON_ZERO = 1


def module(name: str) -> Any:
    """Of the packages that only printing needs."""
    with needed("print"):
        return importlib.import_module(name)


@cache
def fonts() -> Any:
    """The letters, known to ReportLab; what measures them."""
    metrics = module("reportlab.pdfbase.pdfmetrics")
    reader = module("reportlab.pdfbase.ttfonts")
    folder = resources.files(module("font_manrope")).joinpath("files")
    for name, file in ((REGULAR, "Manrope-Regular.ttf"), (BOLD, "Manrope-Bold.ttf")):
        with resources.as_file(folder.joinpath(file)) as path:
            metrics.registerFont(reader.TTFont(name, str(path)))
    return metrics


def measure(text: str, size: float, bold: bool) -> float:  # noqa: FBT001 - as a Measure is called
    return float(fonts().stringWidth(text, BOLD if bold else REGULAR, size))


def write(
    pages: Sequence[Page], paper: Paper, *, title: str, lang: str, outline: dict[int, str]
) -> bytes:
    """The file. The outline names the pages, counted from 0, at which something begins."""
    canvases = module("reportlab.pdfgen.canvas")
    fonts()
    # Text instead of bytes would make the file a quarter larger.
    module("reportlab.rl_config").useA85 = 0
    data = BytesIO()
    # Invariant: the same pages are the same bytes, whenever they are written.
    canvas = canvases.Canvas(data, pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setAuthor("Pytlik")
    canvas.setCatalogEntry("Lang", lang)
    # What a print dialog offers first: nothing fitted, nothing shrunk.
    canvas.setViewerPreference("PrintScaling", "None")
    names = written_once(canvas, repeated(pages))
    for number, page in enumerate(pages):
        size = paper.turned if page.landscape else paper
        canvas.setPageSize((size.width * POINT, size.height * POINT))
        if number in outline:
            canvas.bookmarkPage(f"page{number}")
            canvas.addOutlineEntry(outline[number], f"page{number}")
        canvas.saveState()
        canvas.transform(POINT, 0, 0, -POINT, 0, size.height * POINT)
        canvas.setLineJoin(1)
        put(canvas, page.marks, names)
        canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return data.getvalue()


OFTEN = 3
"""What is drawn as often as this is written once and then referred to."""
FAR = 1000


def repeated(pages: Sequence[Page]) -> list[Marks]:
    """The marks that are placed often, those that lie within others before these."""
    times: Counter[Marks] = Counter()
    found: list[Marks] = []

    def look_at(marks: Marks) -> None:
        for mark in marks:
            if isinstance(mark, Placed):
                times[mark.marks] += 1
                if times[mark.marks] == 1:
                    look_at(mark.marks)
                    found.append(mark.marks)

    for page in pages:
        look_at(page.marks)
    return [marks for marks in found if times[marks] >= OFTEN]


def written_once(canvas: Any, often: Sequence[Marks]) -> dict[Marks, str]:
    """What is drawn often, by the names under which the file now has it."""
    names: dict[Marks, str] = {}
    for marks in often:
        name = f"marks{len(names)}"
        canvas.beginForm(name, -FAR, -FAR, FAR, FAR)
        put(canvas, marks, names)
        canvas.endForm()
        names[marks] = name
    return names


def put(canvas: Any, marks: Marks, names: dict[Marks, str]) -> None:
    for mark in marks:
        match mark:
            case Placed(marks=inside, x=x, y=y, scale=scale, stretch=stretch):
                canvas.saveState()
                canvas.transform(scale, 0, 0, scale * stretch, x, y)
                if inside in names:
                    canvas.doForm(names[inside])
                else:
                    put(canvas, inside, names)
                canvas.restoreState()
            case Words():
                put_words(canvas, mark)
            case Path():
                put_path(canvas, mark)


def put_words(canvas: Any, words: Words) -> None:
    font = BOLD if words.bold else REGULAR
    canvas.saveState()
    canvas.transform(1, 0, 0, -1, words.x, words.y)
    canvas.setFillColor(words.fill)
    canvas.setFont(font, words.size)
    draw = {
        "start": canvas.drawString,
        "middle": canvas.drawCentredString,
        "end": canvas.drawRightString,
    }[words.anchor]
    draw(0, 0, words.text)
    canvas.restoreState()


def put_path(canvas: Any, path: Path) -> None:
    stroke, fill = int(path.stroke is not None), int(path.fill is not None)
    canvas.saveState()
    if path.fill:
        canvas.setFillColor(path.fill)
    if path.stroke:
        canvas.setStrokeColor(path.stroke)
        canvas.setLineWidth(path.width)
        canvas.setDash(list(path.dash))
    if path.pattern:
        canvas.drawPath(traced(path.d), stroke=0, fill=fill, fillMode=NON_ZERO)
        put_pattern(canvas, path.d, path.pattern)
        fill = 0
    canvas.drawPath(traced(path.d), stroke=stroke, fill=fill, fillMode=NON_ZERO)
    canvas.restoreState()


def put_pattern(canvas: Any, d: str, pattern: Pattern) -> None:
    """Stripes or dots all over a path, cut off at its edge."""
    reach = 1.5 * max(
        abs(value) for step in steps(d) if not isinstance(step, Close) for value in step.to
    )
    canvas.saveState()
    canvas.clipPath(traced(d), stroke=0, fill=0)
    canvas.setFillColor(pattern.ink)
    ink = canvas.beginPath()
    if pattern.kind == "stripes":
        distance, width = STRIPE
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
        distance, radius = DOT
        count = floor(reach / distance) + 1
        for row in range(-count, count):
            for column in range(-count, count):
                ink.circle((column + 0.5) * distance, (row + 0.5) * distance, radius)
    canvas.drawPath(ink, stroke=0, fill=1)
    canvas.restoreState()


@lru_cache(maxsize=4096)
def traced(d: str) -> Any:
    """A path as ReportLab has it. It never changes, and most are drawn more than once."""
    path = module("reportlab.pdfgen.pathobject").PDFPathObject()
    for step in steps(d):
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
