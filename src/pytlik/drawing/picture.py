"""Pictures that notebooks show, and that can be saved as SVG files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path as File

from pytlik.drawing.primitives import (
    DOT_SPACING_AND_RADIUS,
    STRIPE_SPACING_AND_WIDTH,
    Group,
    Mark,
    Marks,
    Path,
    Pattern,
    Text,
    format_coordinate,
)

FONT = "system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif"


@dataclass(frozen=True, slots=True)
class Picture:
    """Marks in a frame, in pixels."""

    width: float
    height: float
    marks: Marks
    title: str
    """A description for people who can't see it."""

    @property
    def svg(self) -> str:
        patterns: dict[tuple[str, Pattern], str] = {}
        body = "".join(_marks_to_svg(self.marks, patterns))
        # Each picture in a document needs its own pattern names, because another one may be hidden.
        mark = sha256(body.encode()).hexdigest()[:8]
        filled = "".join(
            _pattern_to_svg(f"{mark}-{name}", fill, pattern)
            for (fill, pattern), name in patterns.items()
        )
        width, height = format_coordinate(self.width), format_coordinate(self.height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            f' width="{width}" height="{height}" style="max-width:100%;height:auto"'
            f' role="img" font-family="{FONT}">'
            f"<title>{escape(self.title)}</title>"
            + (f"<defs>{filled}</defs>" if filled else "")
            + body.replace("url(#-", f"url(#{mark}-")
            + "</svg>"
        )

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, file: str | File) -> None:
        File(file).write_text(self.svg, encoding="utf-8")


PICTURE_GAP_PX = 12.0
MAX_ROW_WIDTH_PX = 1000.0
"""The width that a notebook shows without scrolling or clipping, in pixels."""
MAX_PICTURE_WIDTH_PX = (MAX_ROW_WIDTH_PX - PICTURE_GAP_PX) / 2


def side_by_side(pictures: Sequence[Picture], title: str) -> Picture:
    """Pictures in as many rows as they need; a wide one is scaled down to half a row."""
    marks: list[Mark] = []
    x = y = tallest = widest = 0.0
    for picture in pictures:
        scale = min(1, MAX_PICTURE_WIDTH_PX / picture.width)
        width, height = picture.width * scale, picture.height * scale
        if x + width > MAX_ROW_WIDTH_PX:
            x, y, tallest = 0.0, y + tallest + PICTURE_GAP_PX, 0.0
        marks.append(Group(picture.marks, x, y, scale))
        widest, tallest = max(widest, x + width), max(tallest, height)
        x += width + PICTURE_GAP_PX
    return Picture(widest, y + tallest, tuple(marks), title)


# -------------------------------------------------------------------------------------------- SVG


def _marks_to_svg(marks: Marks, patterns: dict[tuple[str, Pattern], str]) -> Iterator[str]:
    for mark in marks:
        yield _mark_to_svg(mark, patterns)


def _mark_to_svg(mark: Mark, patterns: dict[tuple[str, Pattern], str]) -> str:
    match mark:
        case Group(marks=marks, x=x, y=y, scale=scale, stretch=stretch):
            steps = [f"translate({format_coordinate(x)} {format_coordinate(y)})"] if x or y else []
            if stretch != 1:
                steps.append(
                    f"scale({format_coordinate(scale)} {format_coordinate(scale * stretch)})"
                )
            elif scale != 1:
                steps.append(f"scale({format_coordinate(scale)})")
            inside = "".join(_marks_to_svg(marks, patterns))
            return f'<g transform="{" ".join(steps)}">{inside}</g>' if steps else inside
        case Text():
            bold = ' font-weight="700"' if mark.bold else ""
            anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
            return (
                f'<text x="{format_coordinate(mark.x)}" y="{format_coordinate(mark.y)}"'
                f' font-size="{format_coordinate(mark.size)}" fill="{mark.fill}"{bold}{anchor}>'
                f"{escape(mark.text)}</text>"
            )
        case Path():
            return f'<path d="{mark.d}" {_svg_attributes(mark, patterns)}/>'


def _svg_attributes(path: Path, patterns: dict[tuple[str, Pattern], str]) -> str:
    fill = path.fill or "none"
    if path.fill and path.pattern:
        name = patterns.setdefault((path.fill, path.pattern), str(len(patterns)))
        fill = f"url(#-{name})"
    attributes = [f'fill="{fill}"']
    if path.stroke:
        attributes.append(f'stroke="{path.stroke}" stroke-width="{format_coordinate(path.width)}"')
        attributes.append('stroke-linejoin="round"')
    if path.dash:
        attributes.append(f'stroke-dasharray="{" ".join(map(format_coordinate, path.dash))}"')
    return " ".join(attributes)


def _pattern_to_svg(name: str, fill: str, pattern: Pattern) -> str:
    if pattern.kind == "stripes":
        step, wide = map(format_coordinate, STRIPE_SPACING_AND_WIDTH)
        turned, ink = ' patternTransform="rotate(45)"', f'<rect width="{wide}" height="{step}"'
    else:
        step, radius, middle = map(
            format_coordinate, (*DOT_SPACING_AND_RADIUS, DOT_SPACING_AND_RADIUS[0] / 2)
        )
        turned, ink = "", f'<circle cx="{middle}" cy="{middle}" r="{radius}"'
    return (
        f'<pattern id="{name}" width="{step}" height="{step}"'
        f' patternUnits="userSpaceOnUse"{turned}>'
        f'<rect width="{step}" height="{step}" fill="{fill}"/>{ink} fill="{pattern.ink}"/>'
        "</pattern>"
    )
