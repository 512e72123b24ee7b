"""`pytlik print`: writes a game as a PDF, to print, cut out and play on a real table."""

import argparse
import json
import sys
from pathlib import Path

from pytlik.atomic_file import write_file_atomically
from pytlik.drawing.style import SKINS, default_skin
from pytlik.i18n import Catalogue
from pytlik.printing.page_elements import PAPERS
from pytlik.printing.printout import (
    PART_BUILDERS,
    PARTS_ON_REQUEST,
    PrintOrder,
    build_printout,
    default_parts,
    render_pdf,
)


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    kinds = "; ".join(f"{game}: {', '.join(parts)}" for game, parts in PART_BUILDERS.items())
    parser.add_argument("game", choices=tuple(PART_BUILDERS), help=translate("cli.print.game"))
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="part",
        help=translate("cli.print.parts", parts=kinds, asked=", ".join(PARTS_ON_REQUEST)),
    )
    parser.add_argument(
        "--paper", choices=tuple(PAPERS), default="a4", help=translate("cli.print.paper")
    )
    parser.add_argument("--skin", choices=(*SKINS, "both"), help=translate("cli.print.skin"))
    parser.add_argument(
        "--out", "--output", type=Path, metavar="FILE.pdf", help=translate("cli.print.out")
    )
    parser.add_argument("--force", action="store_true", help=translate("cli.print.force"))
    parser.add_argument("--json", action="store_true", help=translate("cli.json"))


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    unknown = [part for part in args.parts if part not in PART_BUILDERS[args.game]]
    if unknown:
        known = ", ".join(PART_BUILDERS[args.game])
        print_problem(translate("print.no_part", part=unknown[0], game=args.game, parts=known))
        return 2
    usual_name = f"{args.game}-{args.paper}-{translate.lang}.pdf"
    out: Path = args.out or Path(usual_name)
    if out.is_dir():
        out /= usual_name
    if out.exists() and not args.force:
        print_problem(translate("print.exists", file=out))
        return 1
    skins = SKINS if args.skin == "both" else (args.skin or default_skin(translate.lang),)
    parts = tuple(args.parts) or default_parts(args.game)
    order = PrintOrder(args.game, parts, args.paper, skins, translate)
    printout = build_printout(order)
    write_file_atomically(out, render_pdf(printout, order))
    if args.json:
        print(json.dumps({"file": str(out), "pages": len(printout.pages), "parts": parts}))
    else:
        print(translate("print.made", n=len(printout.pages), file=out))
    return 0


def print_problem(problem: str) -> None:
    print(f"pytlik print: {problem}", file=sys.stderr)
