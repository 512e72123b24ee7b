"""Pictures that notebooks show, and that can be kept as SVG files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path as File

from pytlik.drawing.marks import DOT, STRIPE, Mark, Marks, Path, Pattern, Placed, Words, number

FONT = "system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif"


@dataclass(frozen=True, slots=True)
class Picture:
    """Marks in a frame, in pixels."""

    width: float
    height: float
    marks: Marks
    title: str
    """What it shows, for those who don't see it."""

    @property
    def svg(self) -> str:
        patterns: dict[tuple[str, Pattern], str] = {}
        body = "".join(written(self.marks, patterns))
        # Pictures that lie in one document must not take each other's patterns: one may be hidden.
        mark = sha256(body.encode()).hexdigest()[:8]
        filled = "".join(
            definition(f"{mark}-{name}", fill, pattern)
            for (fill, pattern), name in patterns.items()
        )
        width, height = number(self.width), number(self.height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            f' width="{width}" height="{height}" role="img" font-family="{FONT}">'
            f"<title>{escape(self.title)}</title>"
            + (f"<defs>{filled}</defs>" if filled else "")
            + body.replace("url(#-", f"url(#{mark}-")
            + "</svg>"
        )

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, file: str | File) -> None:
        File(file).write_text(self.svg, encoding="utf-8")


def beside(
    pictures: Sequence[Picture], title: str, gap: float = 12, widest: float = 1000
) -> Picture:
    """Pictures in a row, none of them wider than so many pixels."""
    marks: list[Mark] = []
    x = tallest = 0.0
    for picture in pictures:
        scale = min(1, widest / picture.width)
        marks.append(Placed(picture.marks, x, 0, scale))
        x += picture.width * scale + gap
        tallest = max(tallest, picture.height * scale)
    return Picture(x - gap, tallest, tuple(marks), title)


# -------------------------------------------------------------------------------------------- SVG


def written(marks: Marks, patterns: dict[tuple[str, Pattern], str]) -> Iterator[str]:
    for mark in marks:
        yield element(mark, patterns)


def element(mark: Mark, patterns: dict[tuple[str, Pattern], str]) -> str:
    match mark:
        case Placed(marks=marks, x=x, y=y, scale=scale, stretch=stretch):
            steps = [f"translate({number(x)} {number(y)})"] if x or y else []
            if stretch != 1:
                steps.append(f"scale({number(scale)} {number(scale * stretch)})")
            elif scale != 1:
                steps.append(f"scale({number(scale)})")
            inside = "".join(written(marks, patterns))
            return f'<g transform="{" ".join(steps)}">{inside}</g>' if steps else inside
        case Words():
            bold = ' font-weight="700"' if mark.bold else ""
            anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
            return (
                f'<text x="{number(mark.x)}" y="{number(mark.y)}"'
                f' font-size="{number(mark.size)}" fill="{mark.fill}"{bold}{anchor}>'
                f"{escape(mark.text)}</text>"
            )
        case Path():
            return f'<path d="{mark.d}" {attributes(mark, patterns)}/>'


def attributes(path: Path, patterns: dict[tuple[str, Pattern], str]) -> str:
    fill = path.fill or "none"
    if path.fill and path.pattern:
        name = patterns.setdefault((path.fill, path.pattern), str(len(patterns)))
        fill = f"url(#-{name})"
    said = [f'fill="{fill}"']
    if path.stroke:
        said.append(f'stroke="{path.stroke}" stroke-width="{number(path.width)}"')
        said.append('stroke-linejoin="round"')
    if path.dash:
        said.append(f'stroke-dasharray="{" ".join(map(number, path.dash))}"')
    return " ".join(said)


def definition(name: str, fill: str, pattern: Pattern) -> str:
    if pattern.kind == "stripes":
        step, wide = map(number, STRIPE)
        turned, ink = ' patternTransform="rotate(45)"', f'<rect width="{wide}" height="{step}"'
    else:
        step, radius, middle = number(DOT[0]), number(DOT[1]), number(DOT[0] / 2)
        turned, ink = "", f'<circle cx="{middle}" cy="{middle}" r="{radius}"'
    return (
        f'<pattern id="{name}" width="{step}" height="{step}"'
        f' patternUnits="userSpaceOnUse"{turned}>'
        f'<rect width="{step}" height="{step}" fill="{fill}"/>{ink} fill="{pattern.ink}"/>'
        "</pattern>"
    )
